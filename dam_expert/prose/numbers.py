"""Numbers in sentences: which name each belongs to, and whether it is what is, what was, or what is wanted.

A number stands beside its name with nothing but small words between. One behind a word such as *target* is what is
wanted; of ``from 900 to 300`` the last is what is. A clause without a name of its own (``but is 450 ms``) speaks of the
last one named in its sentence. What is told of other people, machines or examples is nothing of this job.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.prose.amounts import amounts, ends_of, is_counted, known_unit, value_of
from dam_expert.prose.beside import (
    BETWEEN,
    COMMA,
    GAP_CHARACTERS,
    OF_WISHES,
    Number,
    belongs,
    is_plain,
    unexplained,
)
from dam_expert.prose.collected import LIKELY, RANGE
from dam_expert.prose.differences import is_difference
from dam_expert.prose.each import is_of_each_node, with_each_device
from dam_expert.prose.hardware import hardware_names
from dam_expert.prose.identifiers import is_part_of_a_name
from dam_expert.prose.labelled import SECOND_NUMBER
from dam_expert.prose.percentiles import resolved
from dam_expert.prose.ranges import range_word_beside
from dam_expert.prose.vocabulary import folded_unit
from dam_expert.prose.wholes import ask_whose, shares_of, take_share
from dam_expert.prose.words import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.ranges import RangeWord
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

_REFERENCE_BEHIND: Final = 12
_ELLIPTIC: Final = BETWEEN | {"contrast", "reference", "bound"}
#: *From 0 to 100 %* tells a change only beside a word for one; else it swings between the two.
_FROM_TO: Final = re.compile(
    r"\bfrom\s[~≈]?\d[\d.,]*\s?%?\s?(?:to|until|up to|up until|till)\s[~≈]?\d[\d.,]*\s?%", re.IGNORECASE
)
_MOVES: Final = re.compile(
    r"\b(?:ris|rose|fell|fall|drop|went|go|goes|increas|decreas|improv|grew|grow|reduc|climb|jump|slow|degrad|chang|mov|rais|lower|push|boost|shrink"
    r"|brought|took|up|down)\w*\b",
    re.IGNORECASE,
)
#: So many of these count them, not what one of them holds.
_HOLDERS: Final = frozenset({"batch", "minibatch", "microbatch", "token"})
#: What is counted then is a time that is paid for: *4200 GPU hours*.
_HOURS: Final = re.compile(r"[\s-]?(?:hours?|days?|months?|小时|天|giờ|ngày)\b", re.IGNORECASE)
#: Between two values of which it is not said which one is that of the job.
_OR_THE_OTHER: Final = re.compile(r"\s?(?:vs\.?|versus|而不是|比)\s?[~≈]?\d", re.IGNORECASE)
#: A number alone is no time: it counts what is named.
_BARE: Final = re.compile(r"[-+~≈<>≤≥ ]*[\d.,_]+(?:e[+-]?\d+)?", re.I)
_STEPS: Final = frozenset({"step", "it", "iter", "iteration", "batch"})
_OF_THE_TIME: Final = re.compile(r"\sof\s(?:the|each|every|our|a)\s(?:step|iteration|time|run|epoch)\b", re.IGNORECASE)
_OFFERED: Final = "offered_rate"
_RATES_OF_REQUESTS: Final = frozenset(map(folded_unit, ("requests/s", "req/s", "rps", "qps")))
_UNDER: Final = re.compile(
    r"(?:\b(?:at|above|under|beyond|load of|over|ở mức|dưới tải)\s(?:about |around |~)?|在\s?)$", re.IGNORECASE
)
_PER_TIME: Final = re.compile(
    r"\s?(?:per|/|a|an|every|mỗi|每)\s?(?:s|sec|second|min|minute|h|hour|day|giây|phút|giờ|秒|分钟|小时)\b", re.I
)
#: ``is under 2 ms`` tells an end of what is, where nothing in the clause makes a wish or a condition of it.
_BOUNDED: Final = re.compile(
    r"\b(?:is|are|was|were|stays|stayed|remains|remained)\s(?:(?:always|well|far|still|even|only)\s)?"
    r"(?:(?P<upper>under|below|less than|at most)|over|above|more than|at least)\s$"
    r"|(?P<short>不到|不足|chưa đến|chưa tới|chưa đầy|không đến|không tới)\s?$",
    re.I,
)
_WISHED: Final = re.compile(
    r"\b(?:when|whenever|until|once|while|as long as|so that|ensures?|sure|needs?|wants?|must|that)\b", re.I
)


#: What may stand behind a bare wanted number: nothing that it could count.
_NOTHING_COUNTED: Final = re.compile(
    r"\s*(?:$|[.,;!?)。，；！]|以上|左右|但"
    r"|(?:or|and|but|instead|at|again|by|in|while|so|as|here|there|hoặc|trở lên|và|nhưng)\b)"
)


def read_numbers(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Take what the clauses of one sentence state in numbers."""
    last: str | None = None
    unit, family = "", collected.family
    statistics = any(collected.vocabulary.statistics.find(each.words) for each in sentence)
    for statement in sentence:
        if statement.is_question or (passage.second_hand and statement.of_its_writer):
            continue
        written = [
            each
            for each in collected.vocabulary.names.find(statement.words)
            if not is_part_of_a_name(statement.text, each.start, each.end)
        ]
        named = written
        if statistics:
            named, family = resolved(written, statement, family, collected.vocabulary)
        numbers = _without_shares(_numbers_of(statement, named, collected.vocabulary), statement, passage, collected)
        if statement.is_conditional:
            numbers = [each for each in numbers if each.wanted]
        numbers = [each for each in numbers if _is_of_the_job(each, statement)]
        unit = next((each.amount.unit for each in reversed(numbers) if _is_measured(each.amount)), "") or unit
        numbers = [_in_unit(each, unit or collected.unit, statement) for each in numbers]
        names = [
            mention
            for mention in named
            if not any(each.amount.start < mention.end and mention.start < each.amount.end for each in numbers)
        ]
        left = _pair(names, numbers, statement, passage, collected)
        if not names and last is not None and _is_elliptic(numbers, statement, collected):
            left = [each for each in left if not _take(last, 0, each, each.amount.start, statement, passage, collected)]
        _take_unnamed(left, names, statement, passage, collected)
        last = (names[-1].meaning or None) if names else last


def _is_of_the_job(number: Number, statement: Statement) -> bool:
    """Whether a number is a value of the job: of no other case, and no difference from another value."""
    amount = number.amount
    if statement.is_of_another_case(amount.start, amount.end):
        return False
    return number.wanted or not is_difference(amount, statement)


def _numbers_of(statement: Statement, names: Sequence[Mention[str]], vocabulary: Vocabulary) -> list[Number]:
    """Return the numbers of a clause as they are to be taken."""
    clause = statement.clause
    clause_text = statement.text[clause.start : clause.end]
    found = [
        dataclasses.replace(each, start=each.start + clause.start, end=each.end + clause.start)
        for each in amounts(clause_text)
    ]
    cards = hardware_names(statement.text, vocabulary.base.catalogue) if found else ()
    found = [each for each in found if not any(card.start() <= each.end - 1 < card.end() for card in cards)]
    wanted = _wanted(found, statement, names) | _asked_for(found, statement, names, vocabulary)
    wanted |= _hoped_for(found, statement)
    changes = any(each.turned for each in found) and not statement.has("varies")
    changes = changes and not (_FROM_TO.search(clause_text) and not _MOVES.search(clause_text))
    return [
        Number(amount=now if place in wanted else _bounded(now, statement), wanted=place in wanted, former=before)
        for place, amount in enumerate(found)
        for before, now in [ends_of(amount) if amount.turned and changes else (None, amount)]
    ]


def _without_shares(
    numbers: list[Number], statement: Statement, passage: Passage, collected: Collected
) -> list[Number]:
    """Take what is used of what there is, and return the other numbers; of an unnamed whole the part is left."""
    text = statement.text[: statement.clause.end]
    for share in shares_of(text, statement.clause.start):
        inside = [each for each in numbers if share.start <= each.amount.start < share.end]
        if any(each.wanted for each in inside) or statement.is_conditional or statement.has("negation"):
            continue
        numbers = [each for each in numbers if each not in inside]
        if not take_share(share, statement.words, (passage, share.start, share.end), collected):
            if not collected.vocabulary.names.find(statement.words):
                ask_whose(share, text, passage, collected)
            numbers += [Number(amount=share.part)] if inside else []
    return sorted(numbers, key=lambda each: each.amount.start)


def _of_each_step(amount: Amount) -> Amount:
    """Return the time of a named part of each step as a time: *data loading takes 0.8 s per step*."""
    above, slash, below = amount.unit.partition("/")
    known = known_unit(above) if slash and below.strip() in _STEPS else None
    if known is None or known.dimension.second != 1:
        return amount
    return dataclasses.replace(amount, unit=above.strip())


def _is_measured(amount: Amount) -> bool:
    """Whether an amount has the unit of a time, rate or share, not that of counted things."""
    known = known_unit(amount.unit) if amount.unit else None
    return known is not None and (known.dimension.second != 0 or amount.unit == "%")


def _in_unit(number: Number, unit: str, statement: Statement) -> Number:
    """Return a number, a bare wanted one in the unit of what was said before it: *is 450 ms, we want 200*."""
    amount = number.amount
    if not number.wanted or amount.unit or not unit or not _NOTHING_COUNTED.match(statement.text, amount.end):
        return number
    return dataclasses.replace(number, amount=dataclasses.replace(amount, unit=unit))


def _bounded(amount: Amount, statement: Statement) -> Amount:
    """Return a number with the words before it that make it an end of a range: *is under 2 ms*."""
    before = statement.text[statement.clause.start : amount.start]
    bound = _BOUNDED.search(before)
    if bound is None or len(amount.numbers) != 1 or amount.numbers[0][0] in "<>≤≥" or _WISHED.search(before):
        return amount
    sign = "<" if bound["upper"] or bound["short"] else ">"
    numbers = (f"{sign} {amount.numbers[0]}",)
    return dataclasses.replace(amount, start=statement.clause.start + bound.start(), numbers=numbers)


def _wanted(found: Sequence[Amount], statement: Statement, names: Sequence[Mention[str]]) -> set[int]:
    """Return the places of the numbers that are wanted or of something else: a mark stands right before or behind."""
    wanted: set[int] = set()
    for mark in statement.marks:
        if mark.meaning != "reference" or any(each.start <= mark.start and mark.end <= each.end for each in names):
            continue  # of a name that holds such a word: *số yêu cầu đồng thời*
        behind = next((place for place, amount in enumerate(found) if amount.start >= mark.end), None)
        before = next((place for place in reversed(range(len(found))) if found[place].end <= mark.start), None)
        gap = "" if behind is None else statement.text[mark.end : found[behind].start]
        if behind is not None and len(gap) <= GAP_CHARACTERS and not COMMA.search(gap):
            wanted.add(behind)
        elif before is not None and mark.start - found[before].end <= _REFERENCE_BEHIND:
            wanted.add(before)
    return wanted


def _asked_for(
    found: Sequence[Amount], statement: Statement, names: Sequence[Mention[str]], vocabulary: Vocabulary
) -> set[int]:
    """Return the places of the numbers that stand right behind such words as *we want*."""
    if not found:
        return set()
    clause = statement.clause
    return {
        next(iter(behind))
        for asked in vocabulary.wants.finditer(statement.text, clause.start, clause.end)
        if (behind := [place for place, amount in enumerate(found) if amount.start >= asked.end()])
        and not unexplained(statement, asked.end(), found[behind[0]].start, OF_WISHES | BETWEEN, names, vocabulary)
    }


def _hoped_for(found: Sequence[Amount], statement: Statement) -> set[int]:
    """Return the places of the numbers behind such words as *we had hoped for*, in their part of the sentence."""
    if not statement.has("hopes"):
        return set()
    hopes = [(each.end, statement.words[each.first].clause) for each in statement.marks if each.meaning == "hopes"]
    inside = [next((each.clause for each in statement.words if each.end > amount.start), 0) for amount in found]
    return {
        place
        for place, amount in enumerate(found)
        if any(amount.start >= end and inside[place] == clause for end, clause in hopes)
    }


def _pair(
    names: Sequence[Mention[str]],
    numbers: Sequence[Number],
    statement: Statement,
    passage: Passage,
    collected: Collected,
) -> list[Number]:
    """Take each number that stands beside a name, one that is and one that is wanted for each; return the others."""
    left = list(numbers)
    for mention in names:
        word = None
        if mention.meaning and not statement.is_conditional:
            word = range_word_beside(mention, statement, collected.vocabulary)
        if _take_beside(mention, word, names, left, statement, passage, collected) or word is None:
            continue
        start, end = min(mention.start, word.start), max(mention.end, word.end)
        collected.state(passage, start, end, mention.meaning, word.value, Basis.SAID, RANGE)
    return left


def _take_beside(
    mention: Mention[str],
    word: RangeWord | None,
    names: Sequence[Mention[str]],
    left: list[Number],
    statement: Statement,
    passage: Passage,
    collected: Collected,
) -> bool:
    """Take the numbers beside a name out of those that are left; whether one of them is what is.

    A number tells more than the word for a range between them: *is low (35 %)*.
    """
    numbers = tuple(left)
    for number in numbers:
        if not belongs(mention, number, names, numbers, statement, collected, word):
            continue
        if not mention.meaning:  # the name of something that no measurement is
            left.remove(number)
            return False
        start = min(mention.start, number.amount.start)
        if _take(mention.meaning, mention.first, number, start, statement, passage, collected, end=mention.end):
            left.remove(number)
            if not number.wanted:
                return True
    return False


def _take_unnamed(
    left: Sequence[Number],
    names: Sequence[Mention[str]],
    statement: Statement,
    passage: Passage,
    collected: Collected,
) -> None:
    """Take numbers by units that name what they measure; wanted ones by the name before them, else by the target."""
    for each in left:
        counted = _name_of_counted(each.amount, statement, collected.vocabulary)
        number = each if counted is None else dataclasses.replace(each, amount=counted[1])
        amount = number.amount
        named = _offered(amount, statement) or (
            counted[0] if counted is not None else _named_by_unit(amount, collected.vocabulary)
        )
        first = next((at for at, word in enumerate(statement.words) if word.start >= amount.start), 0)
        if named is not None and _is_of_a_part(amount, statement, collected):
            continue
        if _OR_THE_OTHER.match(statement.text, amount.end) or (
            is_counted(amount.unit) and _HOURS.match(statement.text, amount.end)
        ):
            continue
        if named is not None and _take(named, first, number, amount.start, statement, passage, collected):
            continue
        if number.wanted:
            before = [mention for mention in names if mention.meaning and mention.end <= amount.start]
            for mention in reversed(before):
                if _take(mention.meaning, mention.first, number, amount.start, statement, passage, collected):
                    break
            else:
                if amount.unit or _NOTHING_COUNTED.match(statement.text, amount.end):
                    collected.wish(passage, amount)


def _is_of_a_part(amount: Amount, statement: Statement, collected: Collected) -> bool:
    """Whether a time per step is that of a component named before it: *the all-reduce is 1.31 s per step*."""
    known = known_unit(amount.unit)
    if known is None or known.dimension.second != 1 or "/" not in amount.unit:
        return False
    before = [token for token in statement.words if token.end <= amount.start]
    clause = max((token.clause for token in before), default=0)
    own = [token for token in before if token.clause == clause]
    return any(each.parts == 1 and not each.hint for each, _ in collected.vocabulary.topics.find([own]))


def _name_of_counted(amount: Amount, statement: Statement, vocabulary: Vocabulary) -> tuple[str, Amount] | None:
    """Return the measurement of what is counted and what it does, with the bare number: *45 requests are waiting*."""
    if not is_counted(amount.unit):
        return None
    inside = [each for each in vocabulary.names.find(statement.words) if amount.start < each.start < amount.end]
    named = next((each for each in inside if each.meaning and each.end > amount.end), None)
    return None if named is None else (named.meaning, dataclasses.replace(amount, end=named.end, unit=""))


def _offered(amount: Amount, statement: Statement) -> str | None:
    """Return the measurement of a rate of requests that a server is under: *at 20 requests/s the latency is 2 s*."""
    if folded_unit(amount.unit) not in _RATES_OF_REQUESTS or amount.turned:
        return None
    return _OFFERED if _UNDER.search(statement.text, max(0, amount.start - 16), amount.start) else None


def _named_by_unit(amount: Amount, vocabulary: Vocabulary) -> str | None:
    """Return the measurement that the unit of a number names: a rate by its own unit, a count by what it counts."""
    if not amount.unit:
        return None
    if is_counted(amount.unit) and stem(amount.unit) not in _HOLDERS:
        counted = vocabulary.names.find(tokens(amount.unit))
        return (counted[0].meaning or None) if counted else None
    return vocabulary.by_unit.get(folded_unit(amount.unit))


def _is_of_a_part_of_the_job(amount: Amount, statement: Statement) -> bool:
    """Whether a number stands in a clause that speaks of one device or node: *on a single GPU we reach 76 %*."""
    parts = {statement.words[each.first].clause for each in statement.marks if each.meaning == "part"}
    own = next((token.clause for token in reversed(statement.words) if token.start <= amount.start), 0)
    return own in parts


def _is_planned(amount: Amount, statement: Statement) -> bool:
    """Whether a number stands behind a word for a plan: *next month we go to 16 workers*."""
    return any(each.meaning == "planned" and each.end <= amount.start for each in statement.marks)


def _is_elliptic(numbers: Sequence[Number], statement: Statement, collected: Collected) -> bool:
    """Whether a clause says nothing but numbers of what was named before it."""
    inside = [each.amount for each in numbers]
    clause = statement.clause
    return bool(numbers) and not unexplained(
        statement, clause.start, clause.end, _ELLIPTIC, inside, collected.vocabulary
    )


def _take(
    name: str,
    first: int,
    number: Number,
    start: int,
    statement: Statement,
    passage: Passage,
    collected: Collected,
    *,
    end: int = 0,
) -> bool:
    """Take a number as a value of a measurement, stated from ``start`` on; False where it cannot be one.

    ``first`` is the place of the first word of its name in the clause: a negation may stand before it.
    """
    measurement = collected.vocabulary.base.measurements[name]
    amount = number.amount
    if end and measurement.model.unit == "s":
        amount = _of_each_step(amount)
    unit = folded_unit(amount.unit)
    named_by_unit = collected.vocabulary.by_unit.get(unit, name)
    if name == _OFFERED and unit in _RATES_OF_REQUESTS:
        named_by_unit = name
    read = value_of(amount, measurement) if named_by_unit == name else None
    plain = is_plain(name, collected)
    if measurement.model.kind is Kind.SETTING and _is_planned(amount, statement) and not number.wanted:
        return False
    if is_counted(amount.unit) and measurement.model.kind in (Kind.RATIO, Kind.SHARE, Kind.LEVEL):
        return False  # so many epochs are no accuracy
    if measurement.model.kind is Kind.DURATION and not amount.unit and _BARE.fullmatch(amount.numbers[0]):
        return False
    if amount.unit == "%" and _OF_THE_TIME.match(statement.text, amount.end) and not name.endswith("_share"):
        return False  # *is low half of the time* tells how often, not how much
    misfit = plain and amount.unit and _named_by_unit(amount, collected.vocabulary) != name
    rated = measurement.model.kind is Kind.COUNT and _PER_TIME.match(statement.text, amount.end)
    if read is None or misfit or rated or SECOND_NUMBER.match(statement.text, amount.end):
        return False
    value, hedged = read
    if number.wanted:
        collected.want(passage, start, max(end, amount.end), name, value)
        return True
    if statement.negated(first):
        return False
    sure = not hedged and not statement.has("hedge") and measurement.model.decides is None
    basis = Basis.REPORTED if sure else Basis.SAID
    reading = "name and number in a sentence" if number.former is None else "what it is after a change"
    start, end = with_each_device(min(start, amount.start), max(end, amount.end), amount.end, statement)
    attempted = collected.tentative
    if _is_of_a_part_of_the_job(amount, statement) or (plain and is_of_each_node(start, end, statement)):
        collected.tentative = LIKELY
    collected.state(passage, start, end, name, value, basis, reading)
    collected.tentative = attempted
    collected.discuss(name, amount.unit)
    return True
