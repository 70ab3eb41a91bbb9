r"""Progress bars (tqdm, and the rich bar of Lightning): how many steps in how much time, in ``it/s`` or ``s/it``.

A terminal overwrites a bar in place; in a file all its states stand one behind the other on one line.

>>> bars(" 12%|#2   | 120/1000 [02:03<15:04,  1.03s/it] 13%|#3   | 130/1000 [02:13<14:50, 1.02s/it]")[1].elapsed
133.0
"""

from __future__ import annotations

import dataclasses
import re

_BAR = re.compile(
    r"(?P<percent>\d{1,3})%\|[^|]{0,300}\|\s*(?P<done>\d{1,12})/(?P<all>\d{1,12})\s*"
    r"\[(?P<elapsed>[\d:]{2,12})<[^,\]]{1,24},\s*(?P<rate>[\d.]{1,20}|\?)\s?(?P<unit>s/\w{1,12}|\w{1,12}/s)(?P<rest>[^\]]{0,400})\]"
)
_RICH = re.compile(
    r"Epoch \d{1,9}(?:/\d{1,9})?\s[^\d/]{0,200}(?P<done>\d{1,12})/(?P<all>\d{1,12}) (?P<elapsed>[\d:]{2,12}) "
    r"• \S{1,12} (?P<rate>[\d.]{1,20})(?P<unit>it/s)(?P<rest>.{0,400})"
)
_NOTEBOOK = re.compile(
    r"^\[\s*(?P<done>\d{1,12})/(?P<all>\d{1,12}) (?P<elapsed>[\d:]{2,12}) < [\d:]{1,24}, (?P<rate>[\d.]{1,20}|\?) "
    r"(?P<unit>it/s)(?P<rest>, Epoch [^\]]{0,40})\]"
)
"""The bar of the HF Trainer in a notebook; evaluation has no epoch behind its rate."""
_STEPS = {"it", "step", "steps", "batch", "batches", "iter", "ba"}
_OTHER_WORK = re.compile(
    r"val|eval|test|predict|sanity|load|shard|download|map|tokeni|filter|generat|convert|quanti|fetch|read|extract"
    r"|captur|import|process|prompt|render|request|compil|benchmark|upload|token|flatten|indic|index|resolv|split|shuffl"
    r"|writ|verif|scan|collat|infer",
    re.IGNORECASE,
)
_TRAINING = re.compile(r"(?<!\w)(?:train(?:ing)?|epochs?|steps?|iter\w*|fit)(?!\w)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z]{3}")
FAST = 1e-3
"""Seconds. Steps of training are not shorter than this; what a bar with a name of its own counts faster are rows."""
_LOSS = re.compile(r"\b(?:train_)?loss(?:_step)?[=:] ?([\d.]{1,20}(?:e[-+]?\d{1,3})?|nan)\b")


@dataclasses.dataclass(frozen=True, slots=True)
class Bar:
    """One state of a bar. ``seconds`` is the smoothed time per step that it shows, None where it shows none."""

    done: int
    total: int
    elapsed: float
    seconds: float | None
    loss: float | None = None


def bars(text: str) -> list[Bar]:
    """Return the states of training bars on a line; bars of loading, evaluation and the like are passed over."""
    found = []
    if "%|" in text:
        found = [bar for match in _BAR.finditer(text) if (bar := _bar(match, text)) is not None]
    elif " it/s, Epoch" in text:
        found = [bar for match in _NOTEBOOK.finditer(text) if (bar := _bar(match, text)) is not None]
    elif " • " in text:
        found = [bar for match in _RICH.finditer(text) if (bar := _bar(match, text)) is not None]
    return found


def _bar(match: re.Match[str], text: str) -> Bar | None:
    head, unit = text[max(match.start() - 40, 0) : match.start()], match["unit"]
    before = re.split(r"[\]\}]", head)[-1]
    counted = unit.removeprefix("s/").removesuffix("/s")
    if _OTHER_WORK.search(before) or counted not in _STEPS:
        return None
    seconds = None
    try:
        rate = float(match["rate"])
        seconds = rate if unit.startswith("s/") else 1.0 / rate
    except (ValueError, ZeroDivisionError):
        pass
    if seconds is not None and seconds < FAST and _NAME.search(before) and not _TRAINING.search(before):
        return None
    loss = _LOSS.search(match["rest"])
    return Bar(
        done=int(match["done"]),
        total=int(match["all"]),
        elapsed=_clock(match["elapsed"]),
        seconds=seconds,
        loss=float(loss[1])
        if loss and re.fullmatch(r"nan|\d*\.?\d*(?:e[-+]?\d+)?", loss[1]) and loss[1] != "."
        else None,
    )


def _clock(text: str) -> float:
    """Return seconds of ``h:mm:ss`` or ``mm:ss``."""
    seconds = 0.0
    for part in text.split(":"):
        seconds = seconds * 60 + float(part or 0)
    return seconds
