"""A session on disk: always whole, held by one at a time, readable as an incident."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from killing import killed_at_every_write
from session.dialogue import base, begun, dialogue

from dam_expert.documents.incident import incident_from
from dam_expert.kb.source import read_yaml
from dam_expert.session.state import State, resumed
from dam_expert.session.storing import BusyError, Keeper, held, save


def read(path: Path) -> State:
    document, messages = read_yaml(path)
    assert document is not None
    assert not messages
    incident, problems = incident_from(document.data, base().names, document.origin)
    assert not problems
    return resumed(incident)


def test_a_saved_session_is_read_back_equal(tmp_path: Path) -> None:
    """Target, answers, notes and what the session remembers survive the file."""
    path = tmp_path / "t.dam.yaml"
    state, _, _ = dialogue("1", "45 %", "unknown", "note a remark")
    save(base(), state, path)
    again = read(path)
    told = [(o.measurement, o.value, o.basis) for o in state.incident.observations]
    assert [(o.measurement, o.value, o.basis) for o in again.incident.observations] == told
    assert again.incident.answers == state.incident.answers
    assert (again.entry, again.notes, again.turns) == (state.entry, state.notes, state.turns)


def test_a_session_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    """A second one is refused while the first has the file, and may have it afterwards."""
    path = tmp_path / "t.dam.yaml"
    with held(path), pytest.raises(BusyError), held(path):
        pass
    with held(path):
        pass


def test_killed_at_every_write_nothing_said_is_lost_and_the_next_session_goes_on(tmp_path: Path) -> None:
    """Killed before any call that changes the disk, a session leaves an answer or the one before, whole and free."""
    path = tmp_path / "t.dam.yaml"
    after, _, _ = dialogue("1", "45 %")
    save(base(), after, path)
    new = path.read_bytes()
    save(base(), begun(), path)
    old = path.read_bytes()

    def answered() -> None:
        with held(path):
            save(base(), after, path)

    def check(when: str) -> None:
        assert path.read_bytes() in (old, new), when
        assert read(path).incident.id == "t", when
        with held(path):  # the lock of the killed one is free, whatever it left behind
            save(base(), begun(), path)
        assert [each.name for each in tmp_path.iterdir()] == ["t.dam.yaml"], when

    calls = killed_at_every_write(answered, check)
    assert calls.count("fcntl.flock") >= 2
    assert "Path.replace" in calls


def test_a_read_only_folder_is_one_clear_error(tmp_path: Path) -> None:
    """Where nothing can be written, saving says so and leaves nothing behind."""
    with pytest.raises(OSError, match="No such file"):
        save(base(), begun(), tmp_path / "missing" / "t.dam.yaml")


OTHER = "schema: dam-incident/1\nid: other\ntitle: another incident\n"


def _edited(path: Path) -> None:
    path.write_text("# mine\n" + path.read_text())


def _replaced(path: Path) -> None:
    path.unlink()
    path.write_text(OTHER)


def _linked(path: Path) -> None:
    victim = path.with_name("victim.txt")
    victim.write_text("precious")
    path.unlink()
    path.symlink_to(victim)


def _linked_to_its_copy(path: Path) -> None:
    path.rename(path.with_name("copy.yaml"))
    path.symlink_to("copy.yaml")


def _foldered(path: Path) -> None:
    path.unlink()
    path.mkdir()


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


@pytest.mark.parametrize("change", [_edited, _replaced, _linked, _linked_to_its_copy, _foldered])
@pytest.mark.parametrize("at_end", [False, True])
def test_what_somebody_else_put_there_stays_and_the_session_goes_on_beside_it(
    tmp_path: Path, change: Callable[[Path], None], *, at_end: bool
) -> None:
    """Between two answers, and behind the last one: nothing is overwritten, nothing that was said is lost."""
    path, moves = tmp_path / "t.dam.yaml", list[tuple[Path, Path]]()
    keeper = Keeper(base(), begun(), path, moved=lambda *both: moves.append(both))
    (tmp_path / "t.2.dam.yaml").write_text("taken")
    first, _, _ = dialogue("1", "45 %")
    keeper.save(first)
    change(path)
    stood = contents(tmp_path)
    last, _, _ = dialogue("1", "45 %", "note a remark")
    if not at_end:
        keeper.save(last)
    keeper.settle()
    beside = tmp_path / "t.3.dam.yaml"
    assert moves == [(path, beside)]
    assert keeper.path == beside
    assert read(beside).incident.observations
    after = contents(tmp_path)
    assert {name: after[name] for name in stood} == stood


def test_a_file_that_is_gone_is_written_again(tmp_path: Path) -> None:
    """With a further answer and without one; nothing stood there that could be lost."""
    path = tmp_path / "t.dam.yaml"
    keeper = Keeper(base(), begun(), path, moved=lambda *_: pytest.fail("nothing was changed"))
    state, _, _ = dialogue("1", "45 %")
    keeper.save(state)
    kept = path.read_bytes()
    path.unlink()
    keeper.settle()
    assert path.read_bytes() == kept
    path.unlink()
    keeper.save(state)
    assert path.read_bytes() == kept


def test_a_session_begun_through_a_link_stays_with_the_file_of_the_link(tmp_path: Path) -> None:
    """The link was there before the session, so that it is meant."""
    real, path = tmp_path / "real.dam.yaml", tmp_path / "t.dam.yaml"
    save(base(), begun(), real)
    path.symlink_to(real)
    keeper = Keeper(base(), begun(), path, moved=lambda *_: pytest.fail("nothing was changed"))
    state, _, _ = dialogue("1", "45 %")
    keeper.save(state)
    keeper.settle()
    assert path.is_symlink()
    assert read(real).incident.observations


def test_a_session_that_said_nothing_keeps_nothing_beside_an_edited_file(tmp_path: Path) -> None:
    """Opened, edited by hand, closed: the edit is all there is."""
    path = tmp_path / "t.dam.yaml"
    save(base(), begun(), path)
    keeper = Keeper(base(), begun(), path, moved=lambda *_: pytest.fail("nothing was said"))
    _edited(path)
    keeper.settle()
    assert list(contents(tmp_path)) == ["t.dam.yaml"]
