"""From what was given for a measurement to its value: the same in incident files, answers, options and rule tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.documents.incident_values import Absence
from dam_expert.documents.kinds import Kind
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.messages import suggestion
from dam_expert.documents.observations import Basis
from dam_expert.documents.quantities import Given, as_text, parse_quantity

if TYPE_CHECKING:
    from dam_expert.documents.incident_values import Vocabulary
    from dam_expert.documents.observations import Value

_LONGEST = 200  # of a word
_TRUE, _FALSE = frozenset({"true", "yes", "on"}), frozenset({"false", "no", "off"})
_NOT_AVAILABLE = frozenset(
    {"", "-", "--", "?", "n a", "na", "n/a", "n.a.", "[n/a]", "nil", "null", "unknown", "don't know", "not known"}
    | {"not available", "[not available]", "not supported", "[not supported]", "[unknown error]"}
    | {"unavailable", "not measured", "no data"}
)
_CANNOT = frozenset({"cannot measure", "can not measure", "can't measure"})
_NOT_APPLICABLE = frozenset({"not applicable", "does not apply"})


def value_of(given: Given, measurement: str, vocabulary: Vocabulary) -> tuple[Value, Basis]:
    """Read a value for a measurement: an interval in its unit, or a word; *said* where words or a hedge gave it.

    Raises QuantityError for what cannot be a value of it.
    """
    kind, unit = vocabulary.kind(measurement), vocabulary.unit(measurement)
    if kind is Kind.FLAG:
        return _flag(given), Basis.REPORTED
    if kind is Kind.CATEGORY or unit is None:
        return _word(given, measurement, vocabulary), Basis.REPORTED
    quantity = parse_quantity(given, unit=unit, kind=kind, words=vocabulary.words(measurement))
    return quantity.interval, Basis.SAID if quantity.hedged else Basis.REPORTED


def absence_of(given: object, measurement: str, vocabulary: Vocabulary) -> Absence | None:
    """Return why there is no value, if that is what was given: nothing, N/A and the like are unknown, never 0.

    A word that the measurement itself knows is a value.
    """
    if given is None:
        return Absence.UNKNOWN
    if not isinstance(given, str):
        return None
    word = folded(given)
    known = (*vocabulary.categories(measurement), *vocabulary.words(measurement))
    if any(folded(own) == word for own in known):
        return None
    if word in _CANNOT:
        return Absence.CANNOT_MEASURE
    if word in _NOT_APPLICABLE:
        return Absence.NOT_APPLICABLE
    return Absence.UNKNOWN if word in _NOT_AVAILABLE else None


def folded(word: str) -> str:
    """Bring the spellings of a word together: case, spaces, underscores and hyphens do not matter.

    >>> folded("All_Cores") == folded("all cores")
    True
    """
    text = word.strip().casefold()
    return re.sub(r"(?<=\w)[\s_-]+(?=\w)", " ", text)


def holds_word(text: str, word: str) -> bool:
    """Whether a text holds a word as a whole one, both folded; Chinese is written without blanks.

    >>> holds_word("we tried it", "tried"), holds_word("retried", "tried"), holds_word("我们试过", "试过")
    (True, False, True)
    """
    return word in text and re.search(whole_word(word), text) is not None


def whole_word(word: str) -> str:
    """Return the pattern of a word that stands in a text as a whole one; Chinese is written without blanks."""
    return re.escape(word) if is_han(word[-1]) else rf"(?<!\w){re.escape(word)}(?!\w)"


def is_han(letter: str) -> bool:
    """Whether a letter is a Chinese one."""
    return "\u4e00" <= letter <= "\u9fff"


def _flag(given: Given) -> str:
    word = folded(as_text(given))
    if word in _TRUE:
        return "true"
    if word in _FALSE:
        return "false"
    raise QuantityError(f"'{as_text(given)}' is neither true nor false", "write 'true' or 'false'")


def _word(given: Given, measurement: str, vocabulary: Vocabulary) -> str:
    """Return the word of a category as the base writes it; where any word will do, the word as given."""
    text = as_text(given).strip()
    if len(text) > _LONGEST:
        raise QuantityError(f"a text of {len(text)} characters is not a value of {measurement}")
    allowed = sorted(vocabulary.categories(measurement))
    if not allowed:
        return text
    for word in allowed:
        if folded(word) == folded(text):
            return word
    hint = suggestion(text, allowed) or f"allowed: {', '.join(allowed)}"
    raise QuantityError(f"'{text}' is not a value of {measurement}", hint)
