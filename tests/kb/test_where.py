"""Which files make up a base."""

from __future__ import annotations

import pytest

from dam_expert.kb import where


def test_files_are_found_in_a_stable_order(tmp_path):
    """YAML in any depth, by name; hidden ones, other types, folders and the catalogue are left out."""
    for name in (
        "b.yaml",
        "a.yml",
        "sub/c.yaml",
        ".hidden.yaml",
        ".git/x.yaml",
        "notes.md",
        "hardware/h.yaml",
        "texts/zh.yaml",
        "sub/hardware/k.yaml",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "folder.yaml").mkdir()
    found = [str(path.relative_to(tmp_path)) for path in where.base_files([tmp_path])]
    assert found == ["a.yml", "b.yaml", "sub/c.yaml", "sub/hardware/k.yaml"]


def test_the_shipped_base_is_beside_the_package():
    """In a checkout; both folders or none."""
    assert [folder.name for folder in where.shipped_folders()] == ["knowledge", "rules"]


def test_an_installation_without_its_base_says_so(tmp_path, monkeypatch):
    """And what to do."""
    package = tmp_path / "site" / "dam_expert" / "kb"
    package.mkdir(parents=True)
    (tmp_path / "site" / "knowledge").mkdir()
    monkeypatch.setattr(where, "__file__", str(package / "where.py"))
    with pytest.raises(FileNotFoundError, match=r"^the shipped base is missing: install dam-expert again"):
        where.shipped_folders()


def test_in_an_installation_the_base_lies_inside(tmp_path, monkeypatch):
    """As the wheel puts it; what lies beside the package then belongs to somebody else."""
    package = tmp_path / "site" / "dam_expert"
    for name in ("kb", "knowledge", "rules", "../knowledge", "../rules"):
        (package / name).mkdir(parents=True)
    monkeypatch.setattr(where, "__file__", str(package / "kb" / "where.py"))
    assert [folder.parent.name for folder in where.shipped_folders()] == ["dam_expert", "dam_expert"]
