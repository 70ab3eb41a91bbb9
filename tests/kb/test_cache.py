"""A base that is kept on disk: the same as the one that was made, or none."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from killing import killed_at_every_write

from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.cases import stages_of
from dam_expert.engine.diagnose import diagnose
from dam_expert.kb import cache
from dam_expert.kb import load as loading
from dam_expert.kb.build import build
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.where import shipped_folders

SOUND = Path(__file__).parent.parent / "broken" / "sound"
KEY = "0" * 32
START = len(b"dam-base/1\n") + 32


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where bases are kept, which is not there yet."""
    monkeypatch.setenv("DAM_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(loading, "_KEPT", loading._Kept())
    return tmp_path / "kept"


@pytest.fixture(scope="module")
def small():
    base, _ = load_knowledge([SOUND])
    return base


def same(one, other):
    """Whether two bases hold the same, in the same order."""
    for field in dataclasses.fields(one):
        if field.name not in ("program", "names", "catalogue"):
            first, second = getattr(one, field.name), getattr(other, field.name)
            assert first == second, field.name
            assert not isinstance(first, dict) or list(first) == list(second), field.name
    for part in ("nodes", "symptoms", "rules"):
        assert getattr(one.program, part) == getattr(other.program, part)
    assert vars(one.names) == vars(other.names)
    assert vars(one.catalogue) == vars(other.catalogue)
    return True


def test_a_kept_base_is_the_one_that_was_made(folder):
    """In all that it holds, and in what follows from it for every case."""
    made, messages = build(shipped_folders(), (), (), None)
    first, _ = load_knowledge()
    kept, warnings = cache.kept(cache.key_of(shipped_folders()))
    assert same(made, first)
    assert same(made, kept)
    assert warnings == messages
    for name in list(made.cases)[::9]:
        told = [
            [
                diagnose(base, incident, executor=BitExecutor(base.program)).model_dump_json()
                for incident, _ in stages_of(base, base.cases[name])
            ]
            for base in (made, kept)
        ]
        assert told[0] == told[1], name


def test_what_is_kept_is_its_owners_alone(folder, small):
    """Nobody else reads or writes it."""
    cache.keep(KEY, small, [])
    (file,) = folder.iterdir()
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert same(cache.kept(KEY)[0], small)


def test_the_key_is_that_of_the_content(tmp_path):
    """Not of the place; a byte more in any file, or a file more, makes another."""
    homes = [shutil.copytree(each, tmp_path / each.name) for each in shipped_folders()]
    first = cache.key_of(homes)
    assert first == cache.key_of(shipped_folders())
    seen = {first}
    for name in ("rules/none.yaml", "knowledge/hardware/sources.yaml", "knowledge/new.yaml"):
        with (tmp_path / name).open("a") as stream:
            stream.write("\n# more\n")
        seen.add(cache.key_of(homes))
    assert len(seen) == 4


def _flipped(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def _signed(data):
    return b"dam-base/1\n" + hashlib.sha256(data).digest() + data


DAMAGED = {
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "cut in the hash": lambda content: content[:20],
    "longer": lambda content: content + b"\x00",
    "another mark": lambda content: _flipped(content, 3),
    "another hash": lambda content: _flipped(content, 20),
    "another byte": lambda content: _flipped(content, START + 1000),
    "text": lambda _: b"axes: []\n",
    "another shape": lambda _: _signed(msgspec.msgpack.encode({"axes": []})),
    "a list too short": lambda _: _signed(msgspec.msgpack.encode([[]])),
    "no message pack": lambda _: _signed(b"\xc1\xc1"),
    "deeply nested": lambda _: _signed(b"\x91" * 100_000 + b"\xc0"),
    "an impossible interval": lambda content: _signed(content[START:].replace(b"\xa2lo", b"\xa2xx")),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_as_none(folder, small, damage):
    """And is replaced."""
    cache.keep(KEY, small, [])
    (file,) = folder.iterdir()
    content = file.read_bytes()
    file.write_bytes(damage(content))
    assert cache.kept(KEY) is None
    cache.keep(KEY, small, [])
    assert file.read_bytes() == content


def test_what_others_could_have_written_is_as_none(folder, small, tmp_path):
    """A file that a group may write, a link, a folder; and nothing is put into a folder that others may write."""
    cache.keep(KEY, small, [])
    (file,) = folder.iterdir()
    file.chmod(0o620)
    assert cache.kept(KEY) is None
    file.chmod(0o600)
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert cache.kept(KEY) is None
    file.unlink()
    file.mkdir()
    assert cache.kept(KEY) is None
    cache.keep(KEY, small, [])
    assert [each.name for each in folder.iterdir()] == [file.name]
    file.rmdir()
    folder.chmod(0o777)
    cache.keep(KEY, small, [])
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("place", ["file/kept", "/proc/nowhere/kept"])
def test_where_nothing_can_be_kept_the_base_loads_all_the_same(tmp_path, monkeypatch, place, capfd):
    """Without a word."""
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAM_CACHE", place)
    monkeypatch.setattr(loading, "_KEPT", loading._Kept())
    base, messages = load_knowledge()
    assert (base is not None, messages, capfd.readouterr()) == (True, [], ("", ""))


def test_it_can_be_switched_off(folder, monkeypatch, small):
    """And then nothing is read either."""
    cache.keep(KEY, small, [])
    monkeypatch.setenv("DAM_CACHE", "off")
    assert cache.kept(KEY) is None
    cache.keep("1" * 32, small, [])
    assert len(list(folder.iterdir())) == 1
    assert not Path("off").exists()


def test_without_a_name_it_lies_where_such_things_lie(monkeypatch, tmp_path, small):
    """Below the cache folder of the user; a relative one does not count."""
    monkeypatch.delenv("DAM_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    for common, place in ((str(tmp_path / "common"), "common/dam-expert"), ("common", ".cache/dam-expert")):
        monkeypatch.setenv("XDG_CACHE_HOME", common)
        cache.keep(KEY, small, [])
        assert len(list((tmp_path / place).iterdir())) == 1


def test_only_the_newest_are_kept(folder, small):
    """Those of old versions and of other checkouts go."""
    for number in range(7):
        cache.keep(f"{number:032}", small, [])
    assert len(list(folder.iterdir())) == 4
    assert cache.kept(f"{6:032}") is not None


def test_killed_at_any_write_it_is_whole_or_not_there(folder, small):
    """And nothing is left behind for ever."""

    def check(when):
        kept = cache.kept(KEY)
        assert kept is None or same(kept[0], small), when

    calls = killed_at_every_write(lambda: cache.keep(KEY, small, []), check)
    assert {"os.write", "Path.replace", "os.mkdir"} <= set(calls)
    cache.keep(KEY, small, [])
    assert [each.name for each in folder.iterdir()] == [f"base-{KEY}.msgpack"]


def test_several_processes_at_once_do_not_disturb_each_other(folder):
    """All load the base, and one file is left."""
    told = "from dam_expert import load_knowledge; base, problems = load_knowledge(); print(base.fingerprint, problems)"
    children = [subprocess.Popen([sys.executable, "-c", told], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {child.communicate()[0] for child in children}
    assert said == {f"{load_knowledge()[0].fingerprint} []\n"}
    assert len(list(folder.iterdir())) == 1
