"""A session that ended before its first answer: what is said of its file."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from dam_expert.cli.group import dam


@pytest.mark.parametrize("language", ["C.UTF-8", "zh_CN.UTF-8", "vi_VN.UTF-8"])
def test_a_session_without_an_answer_says_how_to_go_on(tmp_path, monkeypatch, language):
    """Nothing in it can be used, and it is no output that a tool would have printed."""
    path = tmp_path / "k.dam.yaml"
    path.write_text("schema: dam-incident/1\nid: k\n")
    monkeypatch.setenv("LC_ALL", language)
    ended = CliRunner().invoke(dam, ["diagnose", str(path)])
    assert ended.exit_code == 3
    assert f"'dam session {path}'" in ended.output
    assert "dam doctor" not in ended.output
