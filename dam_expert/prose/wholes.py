r"""What is used of what there is: ``44 GB of 46 GB used``, ``44/46 GB``, ``46 GB 显存用了 44 GB``.

Both numbers are values, one of what is in use and one of what is installed; neither is a range.

>>> [(found.part.text, found.whole.text) for found in shares_of("VRAM: 44/46 GB, so 44 GB of 46 GB used")]
[('44 GB', '46 GB'), ('44 GB', '46 GB')]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.observations import Basis
from dam_expert.prose.amounts import Amount, value_of, with_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.entries import WholeModel
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.words import Token

_NUMBER: Final = r"(?<![\w.,/-])[~≈]?\s?{sign}(?P<{name}>\d{{1,9}}(?:,\d{{3}}){{0,3}}(?:\.\d{{1,4}})?)\s?"
_UNIT: Final = r"(?P<{name}>[KMGT]i?B|[kmgt]i?b|[KMGT])(?![\w/])"
_PART: Final = _NUMBER.format(sign="", name="part") + f"(?:{_UNIT.format(name='part_unit')})?"
_WHOLE: Final = rf"(?P<whole>\d{{1,9}}(?:,\d{{3}}){{0,3}}(?:\.\d{{1,4}})?)\s?{_UNIT.format(name='whole_unit')}"
_OF: Final = (
    r"\s?(?:used\s)?(?:/|,?\s?\(?(?:out\sof|of)\s(?:the\s|its\s|a\s)?(?:total\s(?:of\s)?)?"
    r"|trên(?:\stổng(?:\ssố)?)?|trong(?:\stổng)?(?:\ssố)?|[,，（(]?\s?(?:总共|共|一共))\s?"
)
_USED_OF: Final = (
    r"\s?(?:的\s?)?(?:GPU\s?)?(?:显存|内存)?\s?(?:中|里|里面)?\s?[,，]?\s?"
    r"(?:已|只|就)?(?:使用|占用|用|占)(?:了|掉了|掉)?\s?"
)
_SHARE: Final = re.compile(f"{_PART}{_OF}{_WHOLE}")
_CHINESE: Final = re.compile(
    rf"(?<![\w.,/-]){_WHOLE}{_USED_OF}(?P<part>\d{{1,9}}(?:\.\d{{1,4}})?)\s?{_UNIT.format(name='part_unit')}"
)
_USED: Final = re.compile(r"\b(?:used|in use|occupied|full|allocated)\b|已用|占用|用了|đã dùng|đang dùng|chiếm", re.I)
_AROUND: Final = 24


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Two numbers of a text, of which one is a part of the other."""

    start: int
    end: int
    part: Amount
    whole: Amount


def shares_of(text: str, at: int = 0) -> Iterator[Share]:
    """Yield the shares that a text states from a place on, in order; a part above its whole is none."""
    text = with_points(text)
    while found := min(
        (each for each in (_SHARE.search(text, at), _CHINESE.search(text, at)) if each), default=None, key=_start
    ):
        at = found.end()
        unit = _unit(found["whole_unit"])
        part = _amount(found, "part", _unit(found["part_unit"] or unit))
        whole = _amount(found, "whole", unit)
        if _size(part) <= _size(whole):
            yield Share(start=found.start(), end=found.end(), part=part, whole=whole)


def _start(found: re.Match[str]) -> int:
    return found.start()


def _unit(written: str) -> str:
    """Return a unit of bytes as it is known: people leave out the B."""
    return f"{written[0].upper()}{'i' if 'i' in written else ''}B" if written[0] not in "kK" else "kB"


def _amount(found: re.Match[str], name: str, unit: str) -> Amount:
    number = found[name].replace(",", "")
    hedged = found[0].lstrip()[:1] in "~≈"
    return Amount(
        start=found.start(), end=found.end(), text=f"{number} {unit}", numbers=(number,), unit=unit, hedged=hedged
    )


_FACTORS: Final = {"k": 1, "K": 1, "M": 2, "G": 3, "T": 4}


def _size(amount: Amount) -> float:
    return float(amount.numbers[0]) * 1000.0 ** _FACTORS[amount.unit[0]]


def take_share(share: Share, words: Sequence[Token], place: tuple[Passage, int, int], collected: Collected) -> bool:
    """Take both values of a share where some words name the memory that it is of; False where none or two do."""
    named = {mention.meaning.whole: mention.meaning for mention in collected.vocabulary.wholes.find(words)}
    if len(named) != 1:
        return False
    entry: WholeModel = next(iter(named.values()))
    base = collected.vocabulary.base.measurements
    for name, amount in ((entry.part, share.part), (entry.whole, share.whole)):
        read = value_of(amount, base[name]) if name in base else None
        if read is not None:
            basis = Basis.SAID if read[1] else Basis.REPORTED
            collected.state(*place, name, read[0], basis, "what is used of what there is")
    return True


def ask_whose(share: Share, text: str, passage: Passage, collected: Collected) -> None:
    """Ask whose memory a share is of that is said to be used, and names none."""
    entry = next(iter(collected.vocabulary.whole_questions), None)
    if entry is not None and _USED.search(text, max(0, share.start - _AROUND), share.end + _AROUND):
        collected.ask(passage, share.start, share.end, entry.question, entry.answer)
