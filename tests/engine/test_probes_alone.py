"""What the value of one probe confirms by itself, for every probe of the base; no effect confirms nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dam_expert.documents.incident_reading import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose
from dam_expert.kb.load import load_knowledge

TABLE = yaml.safe_load(Path(__file__).with_name("probes_alone.yaml").read_text(encoding="utf-8"))
#: By what a probe tells: a value that shows that its cause binds, and one that shows no effect.
VALUES = {"quality": (0.9, 0.01), "time": (2.0, 1.0)}


@pytest.fixture(name="confirmed", scope="module")
def _confirmed():
    """Return what is confirmed with one probe as the only observation: with a clear effect, or with none."""
    base, _ = load_knowledge()
    assert base is not None
    executor = BitExecutor(base.program)

    def confirmed(probe: str, *, clear: bool) -> list[str]:
        track = "quality" if probe.endswith("_gap_closed") else "time"
        value = VALUES[track][not clear]
        data = {"schema": "dam-incident/1", "id": "x", "target": {"track": track}, "observations": {probe: value}}
        incident, messages = incident_from(data, base.names, lambda _: Origin(file="x"))
        assert messages == []
        return sorted(
            each.id for each in diagnose(base, incident, executor=executor).hypotheses if each.status == "confirmed"
        )

    confirmed.probes = {name for name, each in base.measurements.items() if each.model.decides == "probe"}
    return confirmed


def test_every_probe_is_in_the_table(confirmed) -> None:
    """A new probe says here whether it decides alone."""
    assert confirmed.probes == {*TABLE["alone"], *TABLE["beside_others"]}


@pytest.mark.parametrize("probe", TABLE["alone"])
def test_a_clear_effect_confirms(confirmed, probe) -> None:
    """The one value confirms what the table says, and nothing else."""
    assert confirmed(probe, clear=True) == TABLE["alone"][probe]


@pytest.mark.parametrize("probe", TABLE["beside_others"])
def test_what_needs_more_confirms_nothing(confirmed, probe) -> None:
    """Such a value alone leaves all open."""
    assert confirmed(probe, clear=True) == []


@pytest.mark.parametrize("probe", [*TABLE["alone"], *TABLE["beside_others"]])
def test_no_effect_confirms_nothing(confirmed, probe) -> None:
    """A probe that changed nothing is no proof of anything."""
    assert confirmed(probe, clear=False) == []
