"""The page of a hypothesis tells who has the problem how to find out, what helps, and what only looks like it."""

from __future__ import annotations

import functools

import pytest
from knowledge.rows import base

from dam_expert.kb.docs import pages, to_markdown


@functools.cache
def written() -> dict[str, str]:
    """Return the pages of the shipped base that are of a hypothesis."""
    made = {page.name: page for page in pages(base())}
    return {name: to_markdown(made[name], list(made)) for name in base().hypotheses}


def section(page: str, heading: str) -> str:
    """Return what stands under a heading; empty if there is none."""
    _, _, after = page.partition(f"\n## {heading}\n")
    return after.partition("\n## ")[0]


@pytest.mark.parametrize("name", sorted(base().hypotheses))
def test_a_page_says_how_to_find_out(name: str) -> None:
    """Wherever a probe settles the hypothesis, with what is done for it."""
    probe = base().hypotheses[name].model.probe
    asked = section(written()[name], "How to find out")
    assert bool(asked) == (probe is not None)
    if probe is not None:
        assert f"({probe}.md)" in asked
        assert len(asked.strip().splitlines()) >= 2


def test_a_page_says_what_helps_and_how_to_verify_it() -> None:
    helping = section(written()["worker_threads"], "What helps")
    assert helping.strip().startswith("One thread per loader worker.")
    assert "To verify: Run queue and steps per second." in helping


def test_a_page_tells_what_only_looked_like_it() -> None:
    """Cases that refute a hypothesis stand apart from those that it binds."""
    page = written()["host_synchronization"]
    assert "One new line of an upgrade." in section(page, "Seen in")
    assert "Many synchronisations that cost nothing." in section(page, "Mistaken for it")
    assert "Many synchronisations that cost nothing." not in section(page, "Seen in")


def test_a_page_leads_up_and_down_the_tree() -> None:
    assert "(host_gaps.md)" in section(written()["launch_bound"], "A case of")
    assert "(launch_bound.md)" in section(written()["host_gaps"], "Its causes")
    assert section(written()["host_gaps"], "A case of") == ""


def test_what_has_no_page_is_named_with_its_title() -> None:
    assert "limit\\_worker\\_threads: One thread per loader worker" in section(written()["worker_threads"], "Used by")
