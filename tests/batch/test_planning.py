"""What each file of a folder is, and which of them are one incident."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from dam_expert import load_knowledge
from dam_expert.batch.pieces import Kind
from dam_expert.batch.planning import Planner
from dam_expert.documents.messages import Message
from dam_expert.kb.base import Base

INCIDENT = "schema: dam-incident/1\nobservations: {input_gap_share: 40 %}\n"
OUTPUT = (Path(__file__).parents[2] / "examples/starved-accelerator/iostat-x.txt").read_text(encoding="utf-8")
REPORT = "# Training is slow\n\nThe accelerators wait for the loader most of the time.\n\nWe added workers.\n"
LINES = '{"schema": "dam-incident/1", "observations": {"input_gap_share": 0.4}}\n' * 2
BARE = '[{"id": "a", "observations": {"input_gap_share": "40 %"}}, {"id": "b", "observations": {"nope": 1}}, 7]'
ISSUE = '[{"title": "Training is slow", "body": "observations: the accelerators wait for the loader.\\nWhy is that?"}]'
TABLE = "id,input_gap_share\na,40 %\n"


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


@pytest.mark.parametrize(
    ("files", "pieces", "codes"),
    [
        ({"a.dam.yaml": INCIDENT, "b.dam.yaml": INCIDENT}, [("documents", "a.dam.yaml b.dam.yaml")], []),
        ({"iostat.txt": OUTPUT}, [("run", "")], []),
        ({"iostat.txt": OUTPUT, "a.dam.yaml": INCIDENT}, [("run", "")], []),
        ({"iostat.txt": OUTPUT, "notes.md": REPORT}, [("run", "")], []),
        (
            {"a.dam.yaml": INCIDENT, "b.dam.yaml": INCIDENT, "iostat.txt": OUTPUT},
            [("documents", "a.dam.yaml b.dam.yaml")],
            ["whose-output"],
        ),
        ({"a.md": REPORT, "b.txt": REPORT}, [("run", "a.md"), ("run", "b.txt")], []),
        ({"a.md": REPORT, "b.md": REPORT, "i.txt": OUTPUT}, [("run", ""), ("run", "a.md"), ("run", "b.md")], []),
        ({"a.jsonl": LINES, "b.csv": TABLE}, [("lines", "a.jsonl"), ("records", "b.csv")], []),
        ({"a.jsonl": LINES, "iostat.txt": OUTPUT}, [("lines", "a.jsonl")], ["whose-output"]),
        ({"a.json": LINES}, [("lines", "a.json")], []),
        ({"a.jsonl": "[]\n" + LINES}, [("lines", "a.jsonl")], []),
        ({"a.jsonl": '{"id": "a"\n' + LINES}, [("lines", "a.jsonl")], []),
        ({"a.json": BARE, "b.yaml": BARE}, [("documents", "a.json b.yaml")], []),
        ({"a.json": BARE[:-9]}, [("documents", "a.json")], []),
        ({"a.json": '{"id": "a", "observations": {}}\n' * 2}, [("lines", "a.json")], []),
        ({"a.json": ISSUE}, [("run", "a.json")], []),
        ({"x.bin": "\x00", "a.dam.yaml": INCIDENT}, [("documents", "a.dam.yaml")], ["not-recognised"]),
        ({"one/iostat.txt": OUTPUT, "two/iostat.txt": OUTPUT}, [("run", "one"), ("run", "two")], []),
        ({"iostat.txt": OUTPUT, "more/iostat.txt": OUTPUT}, [("run", "")], []),
        ({".hidden.dam.yaml": INCIDENT}, [], []),
    ],
)
def test_folders(
    base: Base, tmp_path: Path, files: dict[str, str], pieces: list[tuple[str, str]], codes: list[str]
) -> None:
    """Incidents, reports and tables stand for themselves; outputs belong to the one incident of their folder."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    said: list[Message] = []
    planned = list(Planner(base, said.append).pieces([str(tmp_path)], None))
    home = str(tmp_path)
    names = [[path.removeprefix(home).lstrip("/") for path in piece.paths] for piece in planned]
    shown = [" ".join(each[:1] if piece.kind is Kind.RUN else each) for each, piece in zip(names, planned, strict=True)]
    assert [(str(piece.kind), name) for piece, name in zip(planned, shown, strict=True)] == pieces
    assert [message.code for message in said] == codes


@pytest.mark.parametrize("spoilt", [b"", b"\x00" * 50], ids=["cut", "overwritten"])
@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.gz"])
def test_of_a_damaged_compressed_file_what_came_before_is_used(
    base: Base, tmp_path: Path, name: str, spoilt: bytes
) -> None:
    """The rows before the damage are pieces like any others, and one message says that the rest is lost."""
    head = b"" if "jsonl" in name else b"id,input_gap_share\n"
    rows = [b'{"id":"%d"}' % n if "jsonl" in name else b"%d,%d %%" % (n, n % 90) for n in range(200_000)]
    whole = gzip.compress(head + b"\n".join(rows) + b"\n")
    (tmp_path / name).write_bytes(whole[: len(whole) // 2] + spoilt)
    said: list[Message] = []
    found = list(Planner(base, said.append).pieces([str(tmp_path / name)], io.BytesIO()))
    assert sum(piece.weight for piece in found) > 100_000
    assert [message.code for message in said] == ["truncated"]


def test_links_to_folders_elsewhere_are_not_followed(base: Base, tmp_path: Path) -> None:
    """Neither above nor beside the folder that was named, which may be a link itself; those within it are, once."""
    home, beside = tmp_path / "home", tmp_path / "beside"
    for folder in (home / "one", home / ".kept", beside):
        folder.mkdir(parents=True)
        (folder / "a.dam.yaml").write_text(INCIDENT, encoding="utf-8")
    (home / "up").symlink_to("..")
    (home / "one" / "beside").symlink_to(beside)
    (home / "two").symlink_to(home / "one")
    (home / "kept").symlink_to(".kept")
    (tmp_path / "named").symlink_to(home)
    for named in ("home", "named"):
        said: list[Message] = []
        planned = list(Planner(base, said.append).pieces([str(tmp_path / named)], io.BytesIO()))
        names = [path.removeprefix(f"{tmp_path}/{named}/") for piece in planned for path in piece.paths]
        assert names == ["kept/a.dam.yaml", "one/a.dam.yaml"]
        told = [(message.file, str(message.level), message.code) for message in said]
        assert told == [(f"{tmp_path}/{named}/{name}", "note", "outside") for name in ("one/beside", "up")]
