r"""Sentences and clauses of a passage, and how what they say is to be taken: denied, guessed, asked, or stated.

>>> [(text[clause.start:clause.end].strip(), clause.question)
...  for text in ["The GPU idles, but the disk is fine. Why?"] for clause in bare_clauses(text)]
[('The GPU idles,', False), ('but the disk is fine.', False), ('Why?', True)]
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING

from dam_expert.prose.denials import negated
from dam_expert.prose.others import told_of_others
from dam_expert.prose.words import Mention, Token, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.prose.vocabulary import Vocabulary

_END = re.compile(r"(?<!\bet al)[.!?](?=[\s)\"'*]|$)|[;。！？；](?=.)|[。！？]$|\n\s*\n", re.DOTALL)
_TURN = re.compile(
    r"(?:,\s*|\s+)(?=(?:but|however|although|though|whereas|while|yet|nhưng|trong khi|tuy nhiên)\b)"
    r"|[,，]\s*(?=但是?|不过|然而|而)",
    re.IGNORECASE,
)
SENTENCE_CHARACTERS = 1500
"""A longer sentence is cut: a table or a dump, not a statement."""
_LISTED = 4
"""Significant words of one thing in a list."""
_FIRST_PERSON = re.compile(
    r"\b(?:i|we|my|our|mine|ours|us)\b|我|咱|\b(?:tôi|mình|chúng tôi|bên em|bên mình)\b", re.IGNORECASE
)
#: What something is compared with stands behind it; *more than 8* and *higher than 90 %* are bounds of what is.
_THAN = re.compile(
    r"\b(?:slow|slower|faster|quicker|worse|better|lower|higher|longer|shorter|smaller|larger|bigger|less|fewer|more)\b"
    r"[^,.;]{0,30}?(?<!\bmore )(?<!\bless )(?<!\bfewer )(?<!\brather )"
    r"(?P<object>\bthan\b)(?!\s(?:about |around |roughly |~)?\d[\d.,]*\s?(?:%|[munµ]?s\b|sec|min|h\b|hour|[KMGT]i?B"
    r"|\w+/))"
    r"(?!\s(?:expected|before|usual|normal|normally|ever|necessary|needed|possible|planned|hoped|i\b|we\b))"
    r"|(?P<chinese>比)(?![如例较赛特重率值])[^，。；,;]{1,30}?(?P<end>[慢快高低差少多大小长短好])"
    r"|\b(?:chậm|nhanh|cao|thấp|kém|tốt|lâu|nhiều|ít)\s(?P<vietnamese>hơn)\b(?!\s*(?:khoảng\s)?(?:\d|so\b|nhiều"
    r"|trước))",
    re.IGNORECASE,
)
#: At the beginning of a sentence, that all of it is of an earlier state.
_FORMERLY = re.compile(
    r"\s*(?:before|before that|previously|earlier|originally|formerly|in the past"
    r"|之前|以前|原来|原先|此前|trước đây|trước kia|trước đó|ban đầu)\s*[,，]",
    re.IGNORECASE,
)
#: What ends what something is compared with.
_OBJECT_ENDS = re.compile(
    r"\s(?:due to|because|since|so that|as a result|which|when|while|after|if|and|but|although)\b|[()（）]|因为|由于"
    r"|\b(?:vì|do|khi|và)\s",
    re.IGNORECASE,
)
_CLOSE = 16
"""Characters around a word in which the small words of its mark stand."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stretch of a passage, in characters of its text. ``sentence`` numbers the sentence it belongs to."""

    start: int
    end: int
    sentence: int
    question: bool


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A clause with its words and the marks in it."""

    text: str
    """The text of the whole passage."""
    clause: Clause
    words: tuple[Token, ...]
    """The significant words of the clause."""
    marks: tuple[Mention[str], ...]

    @property
    def is_question(self) -> bool:
        """Whether it only asks."""
        return self.clause.question

    def has(self, *marks: str) -> bool:
        """Whether the clause has one of the marks."""
        return any(mention.meaning in marks for mention in self.marks)

    @property
    def of_its_writer(self) -> bool:
        """Whether it speaks of whoever wrote it: in the words of others, that is not the reporter."""
        return _FIRST_PERSON.search(self.text, self.clause.start, self.clause.end) is not None

    @property
    def other_case_from(self) -> int:
        """Where it begins to speak of others or of another case: *is 3 s, on another machine 1 s*; else its end.

        Of *is 3 s compared to 1 s on another machine* only what it is compared with is of another case.
        """
        if _FORMERLY.match(self.text, self.clause.start, self.clause.end):
            return self.clause.start
        marks = [each for each in self.marks if each.meaning in ("elsewhere", "case")]
        if not marks:
            return self.clause.end
        first = min(marks, key=lambda each: each.start)
        clause = self.words[first.first].clause
        start = next(token.start for token in self.words if token.clause == clause)
        behind = (at for at, _ in self.compared_with if start <= at <= first.start)
        return next(behind, start)

    @property
    def compared_with(self) -> tuple[tuple[int, int], ...]:
        """The stretches that tell what something is compared with: *slower than 4 GPUs*, *vs 90 % before*."""
        starts = [(each.start, each.first) for each in self.marks if each.meaning == "against"]
        compares = any(sign in self.text for sign in ("than", "比", "hơn"))
        if not (starts or compares):
            return ()
        found = [(start, self._end_of_clause(self.words[first].clause)) for start, first in starts]
        for each in _THAN.finditer(self.text, self.clause.start, self.clause.end) if compares else ():
            start = each.start(next(name for name in ("object", "chinese", "vietnamese") if each[name]))
            within = [token.clause for token in self.words if token.start <= start]
            end = each.end("end") if each["chinese"] else self._end_of_clause(within[-1] if within else 0)
            found.append((start, end))
        return tuple(sorted((start, self._end_of_object(start, end)) for start, end in found))

    def _end_of_object(self, start: int, end: int) -> int:
        ends = _OBJECT_ENDS.search(self.text, start, end)
        return end if ends is None else ends.start()

    def is_of_another_case(self, start: int, end: int) -> bool:
        """Whether a stretch of its text is of others, of another case, or what something is compared with."""
        if end > self.other_case_from:
            return True
        return any(first <= start < after for first, after in self.compared_with)

    def _end_of_clause(self, clause: int) -> int:
        return next((token.start for token in self.words if token.clause > clause), self.clause.end)

    @property
    def is_conditional(self) -> bool:
        """Whether it speaks of what would be; *should be 200 ms* tells what is wanted instead."""
        wishes = [mention for mention in self.marks if mention.meaning in ("reference", "hopes")]
        return any(
            mention.meaning == "condition"
            and not any(wish.first <= mention.first and mention.after <= wish.after for wish in wishes)
            for mention in self.marks
        )

    @property
    def is_of_this_job(self) -> bool:
        """Whether it tells what is: it does not ask, imagine, plan, or speak of others."""
        return not (self.is_question or self.is_conditional or self.has("elsewhere", "case", "planned"))

    def excludes(self, first: int) -> bool:
        """Whether words say of a word of the clause that it is not the cause, in its part or before a list."""
        clauses = {self.words[each.first].clause for each in self.marks if each.meaning == "exclusion"}
        own = self.words[first].clause
        for clause in clauses:
            between = range(clause + 1, own + 1)
            if clause == own or (between and all(self._is_listed(each) for each in between)):
                return True
        return False

    def _is_listed(self, clause: int) -> bool:
        """Whether a part between commas is short enough to be one of a list."""
        return sum(token.clause == clause for token in self.words) <= _LISTED

    def negated(self, first: int, after: int | None = None) -> bool:
        """Whether a negation stands shortly before the words of the clause from ``first`` to ``after``."""
        return negated(self, first, after)


def bare_clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text, in order and without gaps."""
    start = number = 0
    ends = [match.end() for match in _END.finditer(text)]
    for end in [*ends, len(text)]:
        while start < end:
            stop = min(end, start + SENTENCE_CHARACTERS)
            question = "?" in text[stop - 2 : stop] or "？" in text[stop - 2 : stop]
            at = start
            for turn in _TURN.finditer(text, start + 1, stop):
                yield Clause(start=at, end=turn.end(), sentence=number, question=question)
                at = turn.end()
            yield Clause(start=at, end=stop, sentence=number, question=question)
            start = stop
            number += 1


def statements(text: str, vocabulary: Vocabulary) -> Iterator[Statement]:
    """Yield the clauses of a passage with their words and marks."""
    words = significant(tokens(text))
    close = [*_close_marks(text, words, vocabulary), *_of_others(text, words)]
    at = 0
    for clause in bare_clauses(text):
        begin = at
        while at < len(words) and words[at].start < clause.end:
            at += 1
        own = tuple(words[begin:at])
        if own:
            found = tuple(vocabulary.marks.overlapping(own))
            if close:
                found += tuple(
                    dataclasses.replace(each, first=each.first - begin, after=each.after - begin)
                    for each in close
                    if clause.start <= each.start < clause.end and begin <= each.first <= each.after <= at
                )
            found += tuple(_told_by_others(found, own))
            yield Statement(text=text, clause=clause, words=own, marks=found)


def by_sentence(told: Iterable[Statement]) -> Iterator[list[Statement]]:
    """Yield the clauses of a passage, sentence by sentence."""
    for _, group in itertools.groupby(told, key=lambda each: each.clause.sentence):
        yield list(group)


def _told_by_others(marks: Sequence[Mention[str]], words: Sequence[Token]) -> Iterator[Mention[str]]:
    """Yield the places where people or documents tell of something: *the README says*, *as claimed by NVIDIA*."""
    sources = [each for each in marks if each.meaning == "source"]
    tellings = [each for each in marks if each.meaning == "tells"] if sources else ()
    for source in sources:
        for telling in tellings:
            by = telling.after == source.first - 1 and words[telling.after].word == "by"
            if (source.after == telling.first or by) and words[source.first].clause == words[telling.first].clause:
                first, last = sorted((source, telling), key=lambda each: each.first)
                yield Mention("elsewhere", first.start, last.end, first.first, last.after)


def _of_others(text: str, words: Sequence[Token]) -> Iterator[Mention[str]]:
    """Yield the places that name what is somebody else's: *Tuan's BERT run*."""
    for start, end in told_of_others(text):
        inside = [at for at, token in enumerate(words) if start <= token.start < end]
        if inside:
            yield Mention("elsewhere", start, end, inside[0], inside[-1] + 1)


def _close_marks(text: str, words: Sequence[Token], vocabulary: Vocabulary) -> Iterator[Mention[str]]:
    """Yield the marks whose small words must stand beside the one that is not: *want to*, *should be*."""
    for place, token in enumerate(words):
        for pattern, mark in vocabulary.close_marks.get(token.word, ()):
            found = pattern.search(text, max(0, token.start - _CLOSE), token.end + _CLOSE)
            if found is not None and found.start() <= token.start < found.end():
                yield Mention(mark, found.start(), found.end(), place, place + 1)
