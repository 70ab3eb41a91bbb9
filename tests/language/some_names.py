"""A handful of names for tests of the language, without a knowledge base."""

from __future__ import annotations

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.kb.base import BaseNames
from dam_expert.language.names import Alternative, MeasuredName, Role, ThresholdName


def some_names() -> BaseNames:
    names = BaseNames()
    for measured in (
        MeasuredName(id="gap", kind=Kind.SHARE, decides="share", words={"low": Interval(0.0, 0.3)}),
        MeasuredName(id="wait", kind=Kind.SHARE, decides="share"),
        MeasuredName(id="util", kind=Kind.SHARE, weak=True),
        MeasuredName(id="step_time", kind=Kind.DURATION, unit="s", decides="counter"),
        MeasuredName(id="speedup", kind=Kind.RATIO, decides="probe"),
        MeasuredName(id="link_gen", kind=Kind.COUNT, decides="state"),
        MeasuredName(id="link_gen_max", kind=Kind.COUNT),
        MeasuredName(id="memory_used", kind=Kind.BYTES, unit="B"),
        MeasuredName(id="transport", kind=Kind.CATEGORY, decides="state", values=frozenset({"socket", "nvlink"})),
        MeasuredName(id="amp", kind=Kind.FLAG, decides="state"),
        MeasuredName(id="framework", kind=Kind.SETTING, unit="", decides="state"),
    ):
        names.define_measured(measured, ())
    for name, kind, unit, value, decisive in (
        ("binding", Kind.SHARE, "1", 0.5, True),
        ("clear", Kind.RATIO, "1", 1.1, True),
        ("guess", Kind.SHARE, "1", 0.3, False),
        ("long", Kind.DURATION, "s", 2.0, True),
    ):
        alternatives = (Alternative(None, Interval.point(value)),)
        threshold = ThresholdName(id=name, kind=kind, unit=unit, decisive=decisive, alternatives=alternatives)
        names.define_threshold(threshold)
    for name, role in (
        ("idle", Role.SYMPTOM),
        ("input_wait", Role.HYPOTHESIS),
        ("input", Role.BOTTLENECK),
        ("more_workers", Role.LEVER),
        ("wrong", Role.BROKEN),
    ):
        names.define(name, role)
    return names
