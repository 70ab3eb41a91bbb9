"""From paths to one incident."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from readers.traces import training

from dam_expert.documents.observations import Basis
from dam_expert.readers import found_files
from dam_expert.readers.gather import gather, read_one
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reading

DMON = "# gpu  sm\n# Idx   %\n    0  70\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "trace.txt").write_bytes(training().zipped)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "gpu.log").write_text(DMON)
    return tmp_path


def codes(found) -> list[str]:
    return [message.code for message in found.messages]


def test_a_folder_is_one_incident(folder):
    """All files under a folder are read, each by what it is."""
    found = gather([folder])
    assert {each.origin.tool for each in found.observations} == {"pytorch_profiler", "nvidia_smi_dmon"}
    assert (found.messages, found.unread, found.incident_files) == ((), (), ())


def test_the_same_file_twice_is_read_once(folder):
    """A file that is named twice, or linked, counts once."""
    (folder / "again.txt").symlink_to(folder / "trace.txt")
    assert len(gather([folder, folder / "trace.txt"]).readings) == 2


def test_standard_input_is_a_source():
    """A dash is standard input."""
    found = gather(["-"], stdin=io.BytesIO(DMON.encode()))
    assert {each.origin.file for each in found.observations} == {"<stdin>"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.dam.yaml", "id: x\n"),
        ("b.yml", "# ours\nschema: dam-incident/1\nid: x\n"),
        ("c.json", '{"schema": "dam-incident/1"}'),
    ],
)
def test_incident_files_are_handed_on(folder, name, text):
    """Incident files are recognised by name or key and left to their own reader."""
    (folder / name).write_text(text)
    assert gather([folder]).incident_files == (folder / name,)


@pytest.mark.parametrize(
    ("content", "code", "hint"),
    [
        pytest.param(b"", "empty-file", "finish", id="empty"),
        pytest.param(b" \n\n", "empty-file", "finish", id="blank"),
        pytest.param(b"SQLite format 3\0" + b"\0" * 99, "not-recognised", "nsys stats", id="SQLite"),
        pytest.param(b"NVIDIA Tegra Profiler Report 1.\0\1", "not-recognised", "nsys stats", id="nsys-rep"),
        pytest.param(b"\x80\x04\x95junk", "not-recognised", "never opened", id="pickle"),
        pytest.param(bytes(range(256)) * 9, "not-recognised", "dmon", id="binary"),
        pytest.param(b"98 %, 1024 MiB\n", "not-recognised", "--query-gpu", id="CSV without header"),
        pytest.param(b"dear all, it is slow", "not-recognised", "dam doctor", id="prose"),
        pytest.param(gzip.compress(b"x" * 99)[:11], "truncated", "copy", id="cut gzip"),
    ],
)
def test_what_is_not_read_says_why_and_what_next(folder, content, code, hint):
    """Each file that gives nothing has one message, and the others are still used."""
    (folder / "bad").write_bytes(content)
    found = gather([folder])
    assert codes(found) == [code]
    assert hint in str(found.messages[0])
    assert found.unread == (str(folder / "bad"),)
    assert len(found.readings) == 2


def test_missing_empty_and_unreadable_paths_are_told(folder, monkeypatch):
    """What the system does not hand over is one message each."""
    (folder / "nothing").mkdir()
    secret = folder / "secret"
    secret.write_text(DMON)
    real = os.open

    def denied(path: Path, *args: int, **more: int) -> int:
        if path == secret:
            raise PermissionError(13, "denied")
        return real(path, *args, **more)

    monkeypatch.setattr(os, "open", denied)
    found = gather([folder / "absent", folder / "nothing", secret])
    assert codes(found) == ["not-found", "empty-folder", "unreadable"]


def test_pipes_and_loops_do_not_stop_it(folder):
    """A pipe is refused unopened, and links that lead back end."""
    os.mkfifo(folder / "pipe")
    (folder / "deep" / "up").symlink_to(folder)
    (folder / "dangling").symlink_to(folder / "gone")
    (folder / "self").symlink_to(folder / "self")
    found = gather([folder])
    assert sorted(codes(found)) == ["not-a-file", "not-found", "unreadable"]
    assert len(found.readings) == 2


def test_links_to_folders_elsewhere_are_not_followed(folder, tmp_path_factory):
    """One note each; what they name can be passed by itself, and a link within the folder leads to what is there."""
    whole = len(gather([folder]).readings)
    beside = tmp_path_factory.mktemp("beside")
    (beside / "dmon.txt").write_text(DMON + "\n")
    (folder / "beside").symlink_to(beside)
    (folder / "deep" / "above").symlink_to("../..")
    (folder / "again").symlink_to("deep")
    found = gather([folder])
    assert (codes(found), len(found.readings)) == (["outside", "outside"], whole)
    assert {str(message.level) for message in found.messages} == {"note"}
    assert len(gather([folder, folder / "beside"]).readings) == whole + 1


def test_depth_and_number_are_bounded(folder, monkeypatch):
    """A whole disk is no incident."""
    monkeypatch.setattr(found_files, "DEPTH", 0)
    monkeypatch.setattr(found_files, "FILES", 1)
    (folder / "z1").write_text(DMON)
    (folder / "z2").write_text(DMON)
    assert sorted(codes(gather([folder]))) == ["too-deep", "too-many-files"]


def test_a_reader_that_fails_loses_only_its_file():
    """A fault of ours is a message too."""

    class Broken:
        tool = title = "broken"

        def recognises(self, source: Source) -> bool:
            return True

        def read(self, source: Source) -> Reading:
            raise ZeroDivisionError

    reading, message = read_one(Source.of_bytes("x", b"x"), [Broken()])
    assert reading is None
    assert message is not None
    assert message.code == "reader-failed"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("# HELP gateway_wait Time.\ngateway_wait 3\n", "metrics of Prometheus", id="help"),
        pytest.param("# TYPE gateway_wait gauge\ngateway_wait 3\n", "metrics of Prometheus", id="type"),
        pytest.param("# HELP\nSomebody asked for help.\n", "prose", id="a heading"),
        pytest.param("# TYPE of job: training\nIt is slow.\n", "prose", id="a remark"),
    ],
)
def test_metrics_of_a_team_are_told_from_prose(tmp_path, text, what):
    """Metrics that no reader knows need a runbook, and the message says so."""
    (tmp_path / "metrics.txt").write_text(text)
    (message,) = gather([tmp_path]).messages
    assert f"it looks like {what}" in message.text
    assert ("--runbook" in message.hint) == (what != "prose")


@pytest.mark.parametrize(
    ("name", "basis"),
    [
        ("README.md", Basis.SAID),
        ("train.py", Basis.SAID),
        ("config.yaml", Basis.SAID),
        ("run.sh", Basis.SAID),
        ("NOTES.txt", Basis.SAID),
        ("gpu.log", Basis.TOOL),
        ("gpu.txt", Basis.TOOL),
    ],
)
def test_what_code_and_documents_quote_is_only_said(tmp_path, name, basis):
    """A tool's text in code, configuration or a document need not be of this run."""
    (tmp_path / name).write_text(DMON)
    found = gather([tmp_path]).observations
    assert found
    assert {each.basis for each in found} == {basis}
