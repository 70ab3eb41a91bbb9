"""What launchers, containers, terminals and mails put around a tool's text changes nothing of what it says."""

from __future__ import annotations

import functools

import pytest
from readers import test_host_and_device_damage, test_serving_and_kernels_damage, training_texts

from dam_expert.readers.gather import read_all
from dam_expert.readers.source import Source

TEXTS = {
    **test_host_and_device_damage.TEXTS,
    **{name: text for name, (_, text) in test_serving_and_kernels_damage.TEXTS.items()},
    **{name: text for name, (_, text) in training_texts.TEXTS.items()},
}
FORMS = {
    "srun -l": "0: {}",
    "mpirun --tag-output": "[1,0]<stdout>:{}",
    "torchrun": "[rank6]: {}",
    "time stamps": "2026-11-02T08:33:38.975123Z {}",
    "container log": "2026-11-02T08:33:38.975123456Z stdout F {}",
    "indentation": "    {}",
    "quoted": "> {}",
    "Windows": "{}\r",
}


def said(text: str) -> set[tuple[object, ...]]:
    readings, _ = read_all(Source.of_bytes("pasted", text.encode()))
    return {(each.measurement, each.scope, str(each.value)) for found in readings for each in found.observations}


@functools.cache
def plain(name: str) -> set[tuple[object, ...]]:
    return said(TEXTS[name])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", TEXTS)
def test_a_prefix_of_every_line_changes_nothing(name, form):
    """The same values, whatever stands before each line."""
    lines = TEXTS[name].removesuffix("\n").split("\n")
    assert said("".join(FORMS[form].format(line) + "\n" for line in lines)) == plain(name)


@pytest.mark.parametrize("name", TEXTS)
def test_a_fence_around_it_changes_nothing(name):
    """The same values in a Markdown fence and after a byte order mark."""
    assert said(f"\ufeff```text\n{TEXTS[name]}\n```\n") == plain(name)
