r"""What of a report stands by itself, so that its values may decide.

A list of values means what the words around it make of it: another machine, an old run, a wish, a template, a joke. No
list of marks holds all such words. So a value may decide only where there are none: in a section with a plain heading
(``Measured``, ``Setup``) that holds nothing but labelled values and pasted output. Whatever else a person writes is
said. A remark among the values (``- note: from another machine``) takes the standing of all that follows it; a sentence
that is not understood, wherever it stands, that of all values.

>>> from dam_expert.prose.passages import passages
>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> own = "# Slow\n\n## Measured\n\n- step time: 2 s\n"
>>> [each.text for each in with_standing(passages(own), vocabulary) if each.plain]
['step time: 2 s']
>>> others = own + "\n## Measured\n\nOf a friend:\n\n- MFU: 3 %\n"
>>> [each.text for each in with_standing(passages(others), vocabulary) if each.plain]
[]
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING

from dam_expert.prose.enclosing import folded_head, under_free_headings
from dam_expert.prose.innocent import is_innocent, is_wholly_explained
from dam_expert.prose.labels import parted
from dam_expert.prose.lists import is_in_words, standing_items, tells_origin
from dam_expert.prose.passages import FRONT_MATTER, HEADS, INDENTED, Kind
from dam_expert.prose.retractions import takes_all_back
from dam_expert.prose.sentences import by_sentence, statements
from dam_expert.prose.siblings import has_strange_sibling
from dam_expert.prose.tables import has_plain_columns, row_of_origin
from dam_expert.prose.trial_sentences import is_plain_trial
from dam_expert.prose.twice import measured_twice
from dam_expert.prose.words import places_of, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.vocabulary import Vocabulary

_BARE = (Kind.ITEM, Kind.TABLE, Kind.CODE)
_SMALL = ("elsewhere", "neutral", "hedge", "values_ahead")
#: A command that goes to another machine: what follows may have been measured there.
_GOES_ELSEWHERE = re.compile(
    r"(?:^|[\n`$#>;&|(])\s*(?:sudo\s)?(?:ssh|slogin|autossh|mosh|rsh|rlogin|telnet|pdsh|clush|pssh|parallel-ssh|ansible"
    r"|ansible-playbook|qrsh|qlogin|gcloud\scompute\sssh|vagrant\sssh|tailscale\sssh|tsh\sssh|az\sssh|aws\sssm"
    r"|virsh\sconsole|ipmitool|docker\s-H|kubectl\s(?:[\w=/-]+\s){0,4}(?:exec|attach)|oc\s(?:exec|rsh))"
    r"\s+(?!-V\b|-h\s*(?:$|\n))[\w@.-]"
    r"|\bsshpass\s[^\n]{0,80}?\bssh\b"
    r"|\b(?:srun|salloc|sbatch)\s[^\n]{0,80}?(?:-w|--nodelist)\b"
    r"|\bmpi(?:run|exec)\s[^\n]{0,80}?(?:-H|-host|--host|--hosts|-f|--hostfile|-machinefile)\b"
    r"|\b(?:ssh|log|logged|logging)\s(?:in\s)?(?:to|into|on|onto)\s\w|\bssh\s[\w.-]+@[\w.-]+|登录到|đăng nhập vào"
)
#: The machine in a prompt: two of them are two machines.
_PROMPT = re.compile(r"(?:^|\n)\s*[\[(]?[a-z_][\w.-]{0,31}@([A-Za-z][\w.-]{0,60})[: ][^\n$#]{0,80}[$#]\s")


def with_standing(found: Sequence[Passage], vocabulary: Vocabulary) -> list[Passage]:
    """Return the passages of a report, those of plain sections marked as ``plain``."""
    heads = vocabulary.heads.plain | vocabulary.heads.tried
    if not any(each.kind is Kind.HEADING and folded_head(each.text) in heads for each in found):
        return list(found)  # nothing can stand by itself: its sentences need not be read for what would take that away
    told: list[Passage] = []
    taken_back = any(takes_all_back(each, vocabulary) for each in found)
    taken_back = taken_back or next(measured_twice(found, vocabulary), None) is not None
    taken_back = taken_back or any(_says_whose(each, vocabulary) for each in found)
    taken_back = taken_back or _has_second_title(found, heads | vocabulary.heads.neutral)
    taken_back = taken_back or not all(is_innocent(each, vocabulary) for each in found)
    title = next((each.text for each in found if each.kind is Kind.TITLE), "")
    hosts: set[str] = set()
    free = iter(under_free_headings(found, vocabulary))
    for section in _sections(found):
        under_free = all(list(itertools.islice(free, len(section))))
        taken_back = taken_back or any(_takes_back(each, vocabulary) for each in section)
        hosts.update(host for each in section for host in _PROMPT.findall(each.text))
        taken_back = taken_back or len(hosts) > 1 or any(_GOES_ELSEWHERE.search(each.text) for each in section)
        open_to = (
            not taken_back
            and under_free
            and not any(
                tells_origin(each, vocabulary) or (each.kind is Kind.TABLE and row_of_origin(each.text, vocabulary))
                for each in section
            )
        )
        plain = open_to and _is_plain(section, vocabulary.heads.plain)
        plain = plain and not has_strange_sibling(section, title, vocabulary)
        plain = plain and not any(is_in_words(each, vocabulary) and not each.indent for each in section)
        attempted = open_to and not plain and _is_attempt(section, vocabulary)
        told_one = open_to and not plain and _is_one_text(section, vocabulary)
        for each, stands in zip(section, standing_items(section, vocabulary), strict=True):
            own = stands and (each.kind is not Kind.TABLE or _stands_as_table(each, vocabulary))
            told.append(
                dataclasses.replace(each, plain=plain and own, attempted=attempted and own)
                if each.kind in _BARE
                else dataclasses.replace(each, trial=told_one and each.kind is Kind.TEXT)
            )
    return told


def _has_second_title(found: Sequence[Passage], known: Set[str]) -> bool:
    """Whether a text holds two reports: a heading as high as its title that is none of a part of one."""
    title = next((each for each in found if each.kind is Kind.TITLE), None)
    return title is not None and any(
        each.kind is Kind.HEADING and each.level == 1 == title.level and folded_head(each.text) not in known
        for each in found
    )


def _says_whose(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a key ahead of the whole text may tell of another machine, run or kind of text: *host: node 7*."""
    key = folded_head(passage.text.partition(":")[0])
    return passage.language == FRONT_MATTER and key not in vocabulary.heads.keys


def _is_attempt(section: Sequence[Passage], vocabulary: Vocabulary) -> bool:
    """Whether a section with a heading of what was tried tells one attempt: at most one text, and it tells what is."""
    head, *rest = section
    if head.kind is not Kind.HEADING or folded_head(head.text) not in vocabulary.heads.tried:
        return False
    texts = [each for each in rest if each.kind is Kind.TEXT]
    if len(texts) > 1 or any(each.kind not in (*_BARE, Kind.TEXT) or each.second_hand for each in rest):
        return False
    told = (statement for each in rest if each.kind is not Kind.CODE for statement in statements(each.text, vocabulary))
    written = [statement for each in texts for statement in statements(each.text, vocabulary)]
    return all(each.is_of_this_job and not each.has("hedge") for each in told) and all(
        is_plain_trial(each, vocabulary) for each in written
    )


def _is_one_text(section: Sequence[Passage], vocabulary: Vocabulary) -> bool:
    """Whether a section with a heading of what was tried is one text, of which one sentence names a change."""
    head, *rest = section
    if head.kind is not Kind.HEADING or folded_head(head.text) not in vocabulary.heads.tried:
        return False
    if len(rest) != 1 or rest[0].kind is not Kind.TEXT or rest[0].second_hand:
        return False
    told = list(by_sentence(statements(rest[0].text, vocabulary)))
    others = [each for each in told if not any(vocabulary.trials.overlapping_tried(clause.words) for clause in each)]
    return len(told) - len(others) == 1 and all(is_wholly_explained(each, vocabulary) for each in others)


def _takes_back(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a passage says of the values after it that they are not of this job.

    Among items that is one that names others and nothing else (*load client on another machine* says more), and any
    remark in words; elsewhere such words must point at values.
    """
    if passage.kind in (Kind.CODE, Kind.TABLE) or passage.second_hand:
        return False
    if passage.kind is Kind.ITEM and (_is_of_others(passage, vocabulary) or _is_remark(passage, vocabulary)):
        return True
    return any(
        each.has("forwarded")
        or (each.has("elsewhere", "case", "hedge", "condition", "planned") and each.has("values_ahead"))
        for each in statements(passage.text, vocabulary)
    )


def _is_of_others(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether the value of an item is but a word on others: another machine, a template."""
    label, colon, rest = parted(passage.text)
    words = significant(tokens(rest if colon else label))
    marks = [mention for mention in vocabulary.marks.overlapping(words) if mention.meaning in _SMALL]
    return len(places_of(marks)) == len(words) and any(mention.meaning == "elsewhere" for mention in marks)


def _is_remark(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether an item is a note in words, no value."""
    label, colon, rest = parted(passage.text)
    words = significant(tokens(label if colon else passage.text))
    begins = [mention for mention in vocabulary.marks.overlapping(words) if mention.meaning == "remark"]
    return any(not mention.first for mention in begins) and (not colon or len(tokens(rest)) > 1)


def _stands_as_table(table: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a table holds values as they are, and no row that tells where they come from."""
    return has_plain_columns(table.text, vocabulary) and not row_of_origin(table.text, vocabulary)


def _sections(found: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Yield the passages from one heading to the next; a heading is the first of its section."""
    number = itertools.accumulate(each.kind in HEADS for each in found)
    for _, pairs in itertools.groupby(zip(number, found, strict=True), key=lambda pair: pair[0]):
        yield [each for _, each in pairs]


def _is_plain(section: Sequence[Passage], plain_headings: Set[str]) -> bool:
    head, *rest = section
    if head.kind is not Kind.HEADING or folded_head(head.text) not in plain_headings:
        return False
    return all(each.kind in _BARE and not each.second_hand and each.language != INDENTED for each in rest)
