"""What the page of a hypothesis says to who has the problem: how to measure it, what helps, what looks like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.kb.docs_blocks import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base
    from dam_expert.kb.models import CaseModel


def blocks_of(base: Base, name: str) -> Iterator[Block]:
    """Yield the blocks of a hypothesis; sections without content are left out."""
    yield from _measured(base, name)
    yield from _section("What helps", _helping(base, name))
    yield from _section("What does not help", _wasted(base, name))
    yield from _section("Seen in", _lessons(case for case in base.cases.values() if _binds(case, name)))
    yield from _section("Mistaken for it", _lessons(case for case in base.cases.values() if _refuted(case, name)))
    parent = base.hypotheses[name].model.parent
    below = [each.id for each in base.hypotheses.values() if each.model.parent == name]
    for heading, names in (("A case of", [] if parent is None else [parent]), ("Its causes", below)):
        if names:
            links = tuple((each, base.hypotheses[each].model.title) for each in names)
            yield from (Block(kind="heading", text=heading), Block(kind="links", links=links))


def _section(heading: str, texts: Iterator[str]) -> Iterator[Block]:
    found = [Block(kind="text", text=text) for text in texts]
    if found:
        yield Block(kind="heading", text=heading)
        yield from found


def _measured(base: Base, name: str) -> Iterator[Block]:
    """Yield the question of the measurement that settles it, and each way to answer it."""
    probe = base.hypotheses[name].model.probe
    if probe is None:
        return
    model = base.measurements[probe].model
    yield Block(kind="heading", text="How to find out")
    yield Block(kind="links", links=((probe, model.question or model.title),))
    for way in model.obtain:
        if way.how:
            yield Block(kind="text", text=way.how)
        if way.command:
            yield Block(kind="code", text=f"{way.command}\n", language="sh")


def _helping(base: Base, name: str) -> Iterator[str]:
    for lever in base.levers.values():
        if name in lever.model.works_on:
            yield f"{lever.model.title}. {lever.model.how} To verify: {lever.model.verify_by}"


def _wasted(base: Base, name: str) -> Iterator[str]:
    """Yield the levers that are wasted on this very hypothesis; those of its bottleneck are many."""
    for lever in base.levers.values():
        if name in lever.model.wasted_on:
            yield f"{lever.model.title}. {lever.model.why_wasted or ''}"


def _lessons(cases: Iterator[CaseModel]) -> Iterator[str]:
    for case in cases:
        yield f"{case.title}. {case.story} {case.lesson}"


def _binds(case: CaseModel, name: str) -> bool:
    return any(stage.expect.binding == name for stage in case.stages)


def _refuted(case: CaseModel, name: str) -> bool:
    return any(stage.expect.hypotheses.get(name) == "refuted" for stage in case.stages)
