"""Old ids keep working: read as the present ones, said at every place, never taken again."""

from __future__ import annotations

from runbook_files import RULE, laid, sound, written

THRESHOLD = (
    "    - {id: team.new, title: New, kind: share, grade: screening, basis: read, value: 90 %, source: [handbook], "
    "aliases: [team.old]}\n"
)
USING = RULE.replace("kv_cache_usage > 90 %", "kv_cache_usage > team.old")


def _text(tombstones: str = "") -> str:
    return USING + "  thresholds:\n" + THRESHOLD + tombstones


def test_an_alias_in_a_condition(tmp_path):
    """A condition that names an old id is read with the new one, and told so at its place."""
    base, messages = laid(written(tmp_path, _text()))
    assert base is not None
    assert base.rules["team.slow"].model.when == "kv_cache_usage > team.new"
    assert [str(message) for message in messages] == [
        "team/more.yaml:5:13: warning: 'team.old' is called 'team.new'; write the new id [old-id]"
    ]


def test_the_base_knows_the_present_id(tmp_path):
    """An old id can be asked for everywhere; a name that is none stays."""
    base, _ = laid(written(tmp_path, _text()))
    assert base is not None
    assert (base.current("team.old"), base.current("majority")) == ("team.new", "majority")


def test_a_chain_of_tombstones(tmp_path):
    """An id that was renamed twice means the last name."""
    stones = "".join(
        f"    - {{id: {old}, replaced_by: {new}, since: 2026-01-31, because: clearer}}\n"
        for old, new in (("team.first", "team.second"), ("team.second", "team.new"))
    )
    base = sound(written(tmp_path, _text("  tombstones:\n" + stones)))
    assert base.current("team.first") == "team.new"


def test_a_renamed_measurement_in_an_incident(tmp_path):
    """Incidents that name a measurement by its old id are still understood."""
    text = (
        "add:\n  measurements: [{id: team.wait, title: W, kind: duration, unit: s}]\n"
        "  tombstones: [{id: team.delay, replaced_by: team.wait, since: 2026-01-31, because: clearer}]\n"
    )
    base = sound(written(tmp_path, text))
    assert base.names.resolve("team.delay") == "team.wait"


def test_an_alias_that_is_in_use(tmp_path):
    """An alias that is an id still would hide nothing and is an error."""
    _, messages = laid(written(tmp_path, _text().replace("team.old", "majority")))
    assert [message.code for message in messages] == ["dead-alias"]
