"""What a command says on stderr is in the language it is asked for; place, level and code stay for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from dam_expert.cli.group import dam

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("language", "unread", "end"),
    [
        ("en", "it looks like binary data: not read; pass the output", "can be used"),
        ("zh", "看起来是 二进制数据：未读取; 请给出 'dam doctor' 所列工具的输出", "中没有可用的内容"),
        ("vi", "có vẻ là dữ liệu nhị phân: không đọc; hãy đưa đầu ra", "dùng được"),
    ],
)
@pytest.mark.parametrize("command", ["read", "diagnose"])
def test_messages_and_failures(command: str, language: str, unread: str, end: str, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"hello\0\0\x01\x02binary")
    done = CliRunner().invoke(dam, [command, str(path), "--lang", language])
    assert done.exit_code == 3
    message, failure = done.stderr.splitlines()
    assert message.startswith(f"{path}: warning: {unread}")
    assert message.endswith("[not-recognised]")
    assert failure.startswith("dam: ")
    assert end in failure


def test_the_locale_counts_where_nothing_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    done = CliRunner().invoke(dam, ["read", str(tmp_path / "none.txt")])
    assert "没有这个文件或文件夹" in done.stderr


def test_documents_stay_english(tmp_path: Path) -> None:
    """A program that reads the document finds the same sentences whatever its caller speaks."""
    path = tmp_path / "x.bin"
    path.write_bytes(b"hello\0\0\x01\x02binary")
    incident = tmp_path / "i.dam.yaml"
    incident.write_text("format: dam.incident/1\nobservations:\n- {measurement: step_time, value: 180 ms}\n")
    documents = [
        CliRunner().invoke(dam, ["diagnose", str(incident), str(path), "--lang", each, "-f", "json"]).stdout
        for each in ("en", "zh")
    ]
    assert "looks like binary data" in documents[0]
    assert documents[0] == documents[1]
