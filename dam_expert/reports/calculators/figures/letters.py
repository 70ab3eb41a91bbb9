"""Whether a picture can be drawn in a language: matplotlib comes with one font, which has no Chinese letters."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Final

from dam_expert.reports.calculators.words import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.reports.calculators.words import Words

_OWN: Final = "DejaVu Sans"
#: Parts of the file names of fonts that have Chinese letters, the best first: they are looked at before all others.
_LIKELY: Final = ("SansCJKsc", "SansCJK", "HanSans", "msyh", "PingFang", "Heiti", "simhei", "wqy", "CJK")
_BOXES: Final = "LastResort"
"""The font of matplotlib that has a box in the place of every letter."""


@contextlib.contextmanager
def lettered(words: Words) -> Iterator[Words]:
    """Draw inside with fonts that have all letters of a language; where no font has them the words are English.

    Fonts are those that matplotlib finds on this machine. English pictures do not depend on them.
    """
    if words.wording.language == "en":
        yield words
        return
    import matplotlib as mpl

    needed = {ord(letter) for phrase in words.wording.phrases.values() for letter in phrase if not letter.isspace()}
    fonts = _fonts(needed)
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)  # else it says of each text that a font lacks a weight
    try:
        with mpl.rc_context({"font.family": fonts} if fonts else {}):
            yield words if fonts else spoken()
    finally:
        log.setLevel(level)


def _fonts(needed: set[int]) -> list[str]:
    """Return the font of matplotlib, with one that has the letters which it lacks; nothing where there is none."""
    from matplotlib import font_manager

    lacking = needed - _letters(font_manager.findfont(_OWN))
    if not lacking:
        return [_OWN]
    listed = {font.fname for font in font_manager.fontManager.ttflist}
    # The list of matplotlib is kept from its first run: fonts that were installed later are only on the machine.
    for files in (listed, set(font_manager.findSystemFonts()) - listed):
        for file in sorted(files, key=lambda each: (_rank(each), "Regular" not in each, each)):
            if _BOXES not in file and lacking <= _letters(file):
                for each in files - listed:
                    if each.partition("-")[0] == file.partition("-")[0]:  # its other weights
                        font_manager.fontManager.addfont(each)
                return [_OWN, next(each.name for each in font_manager.fontManager.ttflist if each.fname == file)]
    return []


def _rank(file: str) -> int:
    return next((rank for rank, part in enumerate(_LIKELY) if part in file), len(_LIKELY))


def _letters(file: str) -> set[int]:
    """Return the letters of a font; none of one that cannot be read."""
    from matplotlib.ft2font import FT2Font

    try:
        return set(FT2Font(file).get_charmap())
    except (OSError, RuntimeError):
        return set()
