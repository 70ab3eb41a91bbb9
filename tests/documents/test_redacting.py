"""Names of people and machines become placeholders."""

from __future__ import annotations

import pytest

from dam_expert.documents.redacting import Redactor


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("at 10.1.2.3:8000 and 10.1.2.3", "at address-1:8000 and address-1", id="IPv4"),
        pytest.param("from fe80::1ff:fe23:4567:890a", "from address-1", id="IPv6"),
        pytest.param("mac 0c:42:a1:12:34:56", "mac address-1", id="hardware address"),
        pytest.param("http://eva:pw@gw.corp:80/v1", "http://host-1:80/v1", id="URL with a password"),
        pytest.param("see gpu7.cluster.local", "see host-1", id="full host name"),
        pytest.param("node=gpu-17 is slow, gpu-17", "node=host-1 is slow, host-1", id="named host"),
        pytest.param("eva@gpu-17:~$", "user-1@host-1:~$", id="prompt"),
        pytest.param("reads /home/eva/data/x.csv by eva", "reads path-1.csv by user-1", id="path and its user"),
        pytest.param(r"C:\Users\Eva\run.log", "path-1.log", id="Windows path"),
        pytest.param("model ~/ckpt/llama", "model path-1", id="path in the home folder"),
    ],
)
def test_names_are_replaced(text, shown):
    """Each kind of name has its own placeholder, the same wherever the name stands."""
    assert Redactor().text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "accelerator_utilization[device=0] = 70 % (tool)",
        "driver 590.48.01, torch 2.6.0+cu124, 12:30:45 on 2026-11-29",
        "NET/IB/0/GDRDMA and aten::add, 30 B/s, s/it, N/A",
        "bus 0000:30:00.0, meta-llama/Llama-3, trace.json: mean over 6 steps",
        "localhost, root",
    ],
)
def test_what_is_no_name_stays(text):
    """Measurements, versions, times, transports and operators are not names."""
    assert Redactor().text(text) == text


def test_data_keep_their_shape():
    """Numbers, flags and missing values are kept; texts in lists and keys are not."""
    redact = Redactor(paths=["run/eva.log"], hosts=["n7"], users=["eva"])
    given = {"n7": [1, 2.5, True, None, "run/eva.log:3"], "who": ("eva",)}
    assert redact.data(given) == {"host-1": [1, 2.5, True, None, "path-1.log:3"], "who": ["user-1"]}


def test_a_placeholder_is_not_replaced_again():
    """What is redacted once stays as it is."""
    redact = Redactor(paths=["/data/a.json"])
    once = redact.text("/data/a.json on n1@h2.example.com /x/y")
    assert redact.text(once) == once


def test_the_same_input_gives_the_same_output():
    """Numbers follow the order in which names are met, nothing else."""
    text = "b.example.com a.example.com 10.0.0.9 /z /a"
    assert Redactor().text(text) == Redactor().text(text) == "host-1 host-2 address-1 path-1 path-2"
