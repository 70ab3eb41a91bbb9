"""The examples of docs/batch.md for engines that run on many machines, where these are installed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "batch.md"
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def example(word: str) -> str:
    """Return the example that imports a package."""
    (found,) = [
        block for block in re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S) if word in block
    ]
    return found


@pytest.mark.parametrize("package", ["pyspark", "dask"])
def test_examples(package: str, tmp_path: Path) -> None:
    """The documented example gives the rows of the table function."""
    pytest.importorskip(package, reason=f"{package} is not installed: its example cannot be run")
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    if package == "dask":
        target.mkdir()
    pq.write_table(pa.table({"id": ["a", "b"], "input_gap_share": [0.4, 0.01]}), source / "one.parquet")
    code = f"SOURCE, TARGET = {str(source)!r}, {str(target)!r}\n{example(package)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = pq.read_table(target).sort_by("id").to_pylist()
    assert [(row["id"], row["hypothesis"]) for row in found] == [("a", "input_wait"), ("b", None)]


def test_examples_are_short() -> None:
    """Each takes about ten lines."""
    for package in ("pyspark", "dask"):
        assert len([line for line in example(package).splitlines() if line.strip()]) <= 11


def test_ray(tmp_path: Path) -> None:
    """On Ray a batch gives the same rows in the same order."""
    pytest.importorskip("ray", reason="ray is not installed: the extra 'ray' cannot be tried")
    lines = [json.dumps({"id": f"i{n}", "observations": {"input_gap_share": n / 100}}) for n in range(50)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    code = "from dam_expert.batch import pieces; pieces.PIECE_BYTES = 500; from dam_expert.cli import main; main()"
    for name, options in (("here", []), ("ray", ["--engine", "ray", "-j", "2"])):
        command = [
            sys.executable,
            "-c",
            code,
            "batch",
            str(tmp_path / "in.jsonl"),
            "-o",
            str(tmp_path / name),
            *options,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "ray").read_bytes() == (tmp_path / "here").read_bytes()
