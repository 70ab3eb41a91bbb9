"""Reads one leaf of a condition and checks it against the names: kinds, units, words, and whether it decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NoReturn

from dam_expert.documents.dimensions import UnitError, dimension_of
from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import suggestion
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.documents.vocabulary import HYPOTHESIS_STATUSES, SCOPES
from dam_expert.language.conditions import (
    All,
    Binds,
    Column,
    Comparison,
    Known,
    Limit,
    Multiple,
    Not,
    Number,
    Operand,
    Operator,
    Planned,
    Standing,
    Symptom,
    Tree,
    Words,
)
from dam_expert.language.names import MeasuredName, Names, Role

if TYPE_CHECKING:
    from dam_expert.documents.intervals import Interval

#: The code of complaints that only follow from an error elsewhere; the loader leaves them out.
BROKEN_REFERENCE: Final = "broken-reference"

ASPECTS: Final = ("min", "max", "spread")

_NAME: Final = r"[a-z][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_]*)?"  # the names of a runbook begin with its own and a dot
_COLUMN: Final = re.compile(
    rf"(?P<tried>tried\.{_NAME})|(?P<name>{_NAME})(?:\[(?P<where>[^\]]*)\])?(?:\.(?P<aspect>[a-z]+))?", re.ASCII
)
_TEXT: Final = r"[^\s\[\]<>]+(?:\[[^\]]*\])?[^\s\[\]<>]*"  # a column as written: only its brackets may hold spaces
_COMPARISON: Final = re.compile(
    rf"(?P<column>{_TEXT})\s*(?P<operator><=|>=|<|>|(?<=\s)(?:is-not|is|in|between)\s)\s*(?P<operand>.+)"
)
_MULTIPLE: Final = re.compile(rf"(?P<factor>\d+(?:\.\d+)?)\s*[x×]\s+(?P<column>{_TEXT})")
_BETWEEN: Final = re.compile(r"(?P<lo>.+?)\s+and\s+(?P<hi>.+)")
_ADVICE: Final = re.compile(
    rf"(?P<verb>known|unknown|planned|binding\s+is)\s+(?P<rest>{_TEXT})|(?P<h>{_NAME})\s+is\s+(?P<status>[a-z]+)"
)
_JOINED: Final = re.compile(r"\s(?:and|or|&&|\|\|)\s")


class LeafError(ValueError):
    """A leaf that cannot stand: what is wrong, a stable code, and perhaps what to do."""

    def __init__(self, text: str, code: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.text, self.code, self.hint = text, code, hint
        self.also: LeafError | None = None
        """What is wrong with the other side."""


def read_leaf(text: str, names: Names, *, advice: bool = False) -> Tree:
    """Read one leaf. Raises LeafError. ``between`` becomes two comparisons and ``is-not`` a negation."""
    given = " ".join(text.split())
    if re.fullmatch(_NAME, given):
        return _symptom(given, names)
    asked = _ADVICE.fullmatch(given)
    if asked is not None and _is_about_verdict(asked, names):
        if not advice:
            raise LeafError(f"'{given}' can be asked only in advice rules (flag, recommend, warn, ask)", "advice-only")
        return _about_verdict(asked, names)
    found = _COMPARISON.fullmatch(given)
    if found is None:
        equals = "==" in given or "!=" in given or re.search(r"\s=\s", given) is not None
        hint = "write 'is' or 'is-not'" if equals else "write: measurement operator value, as in 'step_time > 2 s'"
        raise LeafError(f"cannot read '{given}'", "not-a-condition", hint)
    if found["operator"].strip() != "between" and _JOINED.search(found["operand"]):
        raise LeafError(f"'{given}' is more than one comparison", "not-a-condition", "list them under 'all:' or 'any:'")
    try:
        column = read_column(found["column"], names)
    except LeafError as error:
        if found["operator"] in ("<", "<=", ">", ">="):
            error.also = _misspelt(found["operand"].strip(), names)
        raise
    return _comparison(column, found["operator"].strip(), found["operand"].strip(), given, names)


def _misspelt(operand: str, names: Names) -> LeafError | None:
    """Return the complaint about a limit that is nearly the name of one, where the column cannot be read."""
    if not re.fullmatch(_NAME, operand) or names.role(operand) is not None:
        return None
    hint = suggestion(operand, names.known(Role.THRESHOLD, Role.MEASUREMENT))
    return LeafError(f"there is no threshold '{operand}'", "unknown-id", hint) if hint is not None else None


def read_column(text: str, names: Names) -> Column:
    """Read a column and check that its measurement or lever exists. Raises LeafError."""
    found = _COLUMN.fullmatch(text)
    if found is None:
        raise LeafError(f"'{text}' is not a measurement", "unknown-id")
    if found["tried"]:
        lever = found["tried"].removeprefix("tried.")
        if names.role(lever) is not Role.LEVER:
            _unknown(lever, "lever", names, Role.LEVER)
        return Column(found["tried"])
    name, aspect = _name_and_aspect(found, names)
    if names.role(name) is not Role.MEASUREMENT:
        _unknown(name, "measurement", names, Role.MEASUREMENT)
    if aspect is not None and aspect not in ASPECTS:
        raise LeafError(
            f"a column has no '.{aspect}'", "unknown-aspect", suggestion(aspect, ASPECTS) or ".min, .max or .spread"
        )
    if aspect is not None and names.measured(name).is_word:
        raise LeafError(f"'{name}' holds words: it has no '.{aspect}'", "wrong-kind")
    return Column(name, aspect, _where(found["where"]))


def _name_and_aspect(found: re.Match[str], names: Names) -> tuple[str, str | None]:
    """Tell ``RUNBOOK.NAME`` from ``NAME.max``: a name that is known is one."""
    name, aspect = str(found["name"]), found["aspect"]
    first, dot, last = name.rpartition(".")
    if not dot or aspect is not None or names.role(name) is not None:
        return name, aspect
    return (first, last) if last in ASPECTS or names.role(first) is not None else (name, None)


def _where(text: str | None) -> tuple[tuple[str, str], ...]:
    if text is None:
        return ()
    pairs = [tuple(piece.strip() for piece in part.split("=")) for part in text.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise LeafError(f"cannot read the part '[{text}]'", "not-a-column", "write [stage=decode]")
    for key, _ in pairs:
        if key not in SCOPES:
            hint = suggestion(key, SCOPES) or "one of " + ", ".join(SCOPES)
            raise LeafError(f"a measurement has no parts by '{key}'", "unknown-scope", hint)
    return tuple(sorted((pair[0], pair[1]) for pair in pairs))


def column_name(column: Column, names: Names) -> MeasuredName:
    """Return how a column's values are read: ``.spread`` and ``tried.LEVER`` are ratios of their own."""
    if column.measurement.startswith("tried."):
        return MeasuredName(id=column.measurement, kind=Kind.RATIO, decides="probe")
    measured = names.measured(column.measurement)
    if column.aspect == "spread":
        return MeasuredName(id=measured.id, kind=Kind.RATIO, decides=measured.decides)
    return measured


def _symptom(name: str, names: Names) -> Tree:
    if names.role(name) is not Role.SYMPTOM:
        if names.role(name) is Role.MEASUREMENT:
            raise LeafError(f"'{name}' is a measurement: compare it with something", "not-a-condition")
        _unknown(name, "symptom", names, Role.SYMPTOM)
    return Symptom(name)


def _is_about_verdict(found: re.Match[str], names: Names) -> bool:
    """``H is confirmed`` and ``transport is socket`` look alike: the first name tells."""
    name = found["h"]
    if name is None:
        return True
    first, _, last = name.rpartition(".")
    return names.role(first if last in ASPECTS and names.role(name) is None else name) is not Role.MEASUREMENT


def _about_verdict(found: re.Match[str], names: Names) -> Tree:
    verb, rest = found["verb"], found["rest"]
    if verb in ("known", "unknown"):
        return Known(read_column(rest, names), verb == "known")
    if verb == "planned":
        if names.role(rest) is not Role.LEVER:
            _unknown(rest, "lever", names, Role.LEVER)
        return Planned(rest)
    if verb is not None:
        if names.role(rest) not in (Role.BOTTLENECK, Role.HYPOTHESIS):
            _unknown(rest, "bottleneck or hypothesis", names, Role.BOTTLENECK, Role.HYPOTHESIS)
        return Binds(rest)
    hypothesis, status = found["h"], found["status"]
    if names.role(hypothesis) is not Role.HYPOTHESIS:
        _unknown(hypothesis, "hypothesis", names, Role.HYPOTHESIS, Role.MEASUREMENT)
    if status not in HYPOTHESIS_STATUSES:
        hint = suggestion(status, HYPOTHESIS_STATUSES) or "one of " + ", ".join(HYPOTHESIS_STATUSES)
        raise LeafError(f"a hypothesis is never '{status}'", "not-a-status", hint)
    return Standing(hypothesis, status)


def _comparison(column: Column, operator: str, operand: str, text: str, names: Names) -> Tree:
    measured = column_name(column, names)
    if operator == "between":
        found = _BETWEEN.fullmatch(operand)
        if found is None:
            raise LeafError(
                f"'between' needs two values: '{operand}'", "not-a-condition", "write: between 10 % and 20 %"
            )
        _in_order(measured, found["lo"], found["hi"], names)
        ends = [(Operator.AT_LEAST, found["lo"]), (Operator.AT_MOST, found["hi"])]
        return All(
            tuple(_one(column, measured, op, value, f"{column} {op.value} {value}", names) for op, value in ends)
        )
    if operator in ("is", "is-not", "in"):
        leaf = _is(column, measured, operand, text, names, several=operator == "in")
        return Not(leaf) if operator == "is-not" else leaf
    return _one(column, measured, Operator(operator), operand, text, names)


def _in_order(measured: MeasuredName, lo: str, hi: str, names: Names) -> None:
    """Refuse two numbers of which the first is the larger: no value lies between them."""
    try:
        first, second = _quantity(measured, lo, names), _quantity(measured, hi, names)
    except LeafError:
        return  # a name, or something that is complained about where it is read
    if first.lo > second.hi:
        raise LeafError(f"nothing lies between {lo} and {hi}", "not-a-condition", f"write: between {hi} and {lo}")


def _is(column: Column, measured: MeasuredName, operand: str, text: str, names: Names, *, several: bool) -> Tree:
    if not measured.is_word:
        if several:
            raise LeafError(f"'{measured.id}' is a number: 'in' lists words", "wrong-kind", "use 'between'")
        return _one(column, measured, Operator.IS, operand, text, names)
    if not several and operand.startswith("not "):
        raise LeafError(f"cannot read '{text}'", "not-a-condition", f"write '{measured.id} is-not {operand[4:]}'")
    if not several and any(mark in operand for mark in "[],"):
        raise LeafError(f"'is' compares with one word, not with '{operand}'", "not-a-condition", "write 'in'")
    listed = operand.removeprefix("[").removesuffix("]").split(",") if several else [operand]
    words = frozenset(word.strip().strip("'\"").lower() for word in listed)
    values = measured.listed
    strange = sorted(words - values) if values else []
    if strange or "" in words:
        hint = suggestion(strange[0], values) if strange else None
        raise LeafError(f"'{strange[0] if strange else ''}' is no value of '{measured.id}'", "unknown-value", hint)
    return Comparison(column, Operator.IS, Words(words), measured.decides == "state" and bool(values), text)


def _one(column: Column, measured: MeasuredName, operator: Operator, text: str, leaf: str, names: Names) -> Comparison:
    if measured.is_word:
        raise LeafError(f"'{measured.id}' holds words: compare it with is, is-not or in", "wrong-kind")
    operand, decisive = _operand(measured, text, names)
    decides = decisive and measured.decides is not None
    if decides and measured.decides == "state" and not isinstance(operand, Multiple):
        decides = False  # a state decides by a listed category or by arithmetic, not by a number's threshold
    return Comparison(column, operator, operand, decides, leaf)


def _operand(measured: MeasuredName, text: str, names: Names) -> tuple[Operand, bool]:
    """Return the operand and whether it is of a kind that may decide."""
    multiple = _MULTIPLE.fullmatch(text)
    if multiple is not None:
        return _other_column(measured, float(multiple["factor"]), multiple["column"], names)
    if _COLUMN.fullmatch(text) is not None and text not in measured.words:
        match names.role(text):
            case Role.THRESHOLD:
                threshold = names.threshold(text)
                _same_dimension(measured, threshold.unit, text)
                return Limit(text), threshold.decisive
            case Role.MEASUREMENT:
                return _other_column(measured, 1.0, text, names)
            case Role.BROKEN:
                raise LeafError(f"'{text}' has an error of its own", BROKEN_REFERENCE)
            case role if role is not None:
                raise LeafError(f"'{text}' is a {role.value}: compare with a measurement or threshold", "wrong-kind")
        if any(mark in text for mark in ".["):
            return _other_column(measured, 1.0, text, names)
    return Number(_quantity(measured, text, names)), False


def _other_column(measured: MeasuredName, factor: float, text: str, names: Names) -> tuple[Multiple, bool]:
    """Return the other column and whether it may decide: not if it is weak, nor with a number that has no source."""
    column = read_column(text, names)
    other = column_name(column, names)
    if other.is_word:
        raise LeafError(f"'{other.id}' holds words and cannot be compared with '{measured.id}'", "wrong-kind")
    _same_dimension(measured, other.unit, text)
    return Multiple(factor, column), factor == 1.0 and not other.weak


def _same_dimension(measured: MeasuredName, unit: str, text: str) -> None:
    try:
        same = dimension_of(measured.unit) == dimension_of(unit)
    except UnitError as error:
        raise LeafError(str(error), "unknown-unit") from error
    if not same:
        raise LeafError(f"'{measured.id}' is in {measured.unit}, '{text}' is in {unit}", "unit-mismatch")


def _quantity(measured: MeasuredName, text: str, names: Names) -> Interval:
    try:
        return parse_quantity(text, unit=measured.unit, kind=measured.kind, words=dict(measured.words)).interval
    except QuantityError as error:
        nearest = suggestion(text, names.known(Role.THRESHOLD, Role.MEASUREMENT)) if re.fullmatch(_NAME, text) else None
        raise LeafError(error.text, "not-a-quantity", nearest or error.hint) from error


def _unknown(name: str, what: str, names: Names, *roles: Role) -> NoReturn:
    role = names.role(name)
    if role is Role.BROKEN:
        raise LeafError(f"'{name}' has an error of its own", BROKEN_REFERENCE)
    if role is not None:
        raise LeafError(f"'{name}' is a {role.value}, not a {what}", "wrong-kind")
    raise LeafError(f"there is no {what} '{name}'", "unknown-id", suggestion(name, names.known(*roles)))
