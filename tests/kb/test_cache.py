"""A base that is kept on disk: the same as the one that was made, or none."""

from __future__ import annotations

import dataclasses
import hashlib
import os
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
START = len(b"dam-base/2\n") + 32 + len(KEY)


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


def _signed(data, key=KEY):
    signed = key.encode() + data
    return b"dam-base/2\n" + hashlib.sha256(signed).digest() + signed


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


def test_the_base_of_another_key_is_as_none(folder, small):
    """A whole and sound file under the name of another is not taken for it."""
    cache.keep("1" * 32, small, [])
    shutil.copy(folder / f"base-{'1' * 32}.msgpack", folder / f"base-{KEY}.msgpack")
    assert cache.kept("1" * 32) is not None
    assert cache.kept(KEY) is None


def _forged(content, **changed):
    """Return a file of ours in which fields have other values."""
    fields = msgspec.msgpack.decode(content[START:])
    for name, value in changed.items():
        at = cache._Stored.__struct_fields__.index(name)
        fields[at] = value(fields[at]) if callable(value) else value
    return _signed(msgspec.msgpack.encode(fields), content[START - len(KEY) : START].decode())


FORGED = {
    **{f"no {name}": {name: {}} for name in ("rules", "thresholds", "cases", "hypotheses", "anti_patterns", "places")},
    "no nodes": {"nodes": []},
    "a node less": {"nodes": lambda nodes: nodes[:-1]},
    "a node before what it joins": {"nodes": lambda nodes: [["all", [[1, True]], 0, None], *nodes[1:]]},
    "a leaf that asks nothing": {"nodes": lambda nodes: [[each[0], each[1], each[2], None] for each in nodes]},
    "no compiled rules": {"compiled_rules": []},
    "no compiled symptoms": {"compiled_symptoms": {}},
    "no rules at all": {"nodes": [], "rules": {}, "thresholds": {}, "compiled_rules": []},
    "nothing at all": {name: {} for name in (*cache._ENTRIES, "places", "symptom_trees", "compiled_symptoms")}
    | {"nodes": [], "compiled_rules": []},
}


@pytest.mark.parametrize("changed", FORGED.values(), ids=FORGED)
def test_what_does_not_fit_together_is_as_none(folder, small, changed):
    """Though its hash and its name are right."""
    cache.keep(KEY, small, [])
    (file,) = folder.iterdir()
    content = file.read_bytes()
    file.write_bytes(_forged(content))
    assert same(cache.kept(KEY)[0], small)
    file.write_bytes(_forged(content, **changed))
    assert cache.kept(KEY) is None


def test_with_a_forged_file_the_base_loads_all_the_same(folder, monkeypatch):
    """From its sources, and the file is replaced."""
    made, _ = load_knowledge()
    (file,) = folder.iterdir()
    content = file.read_bytes()
    file.write_bytes(_forged(content, nodes=[], rules={}, thresholds={}))
    monkeypatch.setattr(loading, "_KEPT", loading._Kept())
    assert same(load_knowledge()[0], made)
    assert file.read_bytes() == content


@pytest.mark.parametrize("other", ["link", "link to nothing", "pipe"])
def test_what_stands_in_place_of_a_file_is_replaced_itself(folder, small, tmp_path, other):
    """What a link names is not touched, and a pipe that nobody reads does not make anybody wait."""
    folder.mkdir(mode=0o700)
    file, foreign = folder / f"base-{KEY}.msgpack", tmp_path / "foreign"
    if other == "link":
        foreign.write_text("theirs")
    os.mkfifo(file) if other == "pipe" else file.symlink_to(foreign)
    assert cache.kept(KEY) is None
    cache.keep(KEY, small, [])
    assert file.is_file()
    assert not file.is_symlink()
    assert same(cache.kept(KEY)[0], small)
    assert (foreign.read_text() if foreign.exists() else None) == ("theirs" if other == "link" else None)


def test_a_folder_that_is_a_link_or_that_others_may_write_is_as_none(folder, small):
    """Nothing in it is read, though the file itself is ours alone, and nothing is written."""
    cache.keep(KEY, small, [])
    for rights in (0o770, 0o707, 0o777, 0o1777):
        folder.chmod(rights)
        assert cache.kept(KEY) is None
    folder.chmod(0o700)
    assert cache.kept(KEY) is not None
    real = folder.rename(folder.with_name("real"))
    folder.symlink_to(real)
    assert cache.kept(KEY) is None
    cache.keep("1" * 32, small, [])
    assert [each.name for each in real.iterdir()] == [f"base-{KEY}.msgpack"]


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


def test_only_what_was_kept_is_forgotten(folder, small, tmp_path):
    """Names that are almost ours, links and folders with a name of ours stay."""
    folder.mkdir(mode=0o700)
    mine = ["base-mine1.msgpack", f"base-{KEY}.msgpack.old", f"base-{'g' * 32}.msgpack", f"base-{'A' * 32}.msgpack"]
    mine += [f"base-{'0' * 31}.msgpack", f"base-{'0' * 33}.msgpack", "notes.txt"]
    for name in mine:
        (folder / name).write_text("mine")
        os.utime(folder / name, (0, 0))
    (folder / f"base-{'a' * 32}.msgpack").symlink_to(tmp_path)
    (folder / f"base-{'b' * 32}.msgpack").mkdir()
    for number in range(7):
        cache.keep(f"{number:032}", small, [])
    left = {each.name for each in folder.iterdir()}
    assert left == {
        *mine,
        *(f"base-{letter * 32}.msgpack" for letter in "ab"),
        *(f"base-{number:032}.msgpack" for number in range(3, 7)),
    }


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
