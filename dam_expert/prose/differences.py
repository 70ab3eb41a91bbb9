r"""Numbers that tell by how much something differs and no value of it: *50 ms longer*, *rose by 30 %*."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.sentences import Statement

_BEFORE: Final = re.compile(
    r"(?:\b(?:increas\w+|decreas\w+|ris\w+|rose|risen|grew|grow\w*|drop\w*|fell|fall\w*|reduc\w+|lower\w*|rais\w+"
    r"|went up"
    r"|went down|go\w* (?:up|down)|up|down|improv\w+|degrad\w+|differ\w*|off|jump\w*|climb\w*|shrank|cut|exceed\w*"
    r"|miss\w*)"
    r"(?:\s\w+){0,4}\sby\s(?:about |around |roughly |only |some |a |another |up to |more than )?"
    r"|\b(?:difference|gap|increase|decrease|drop|overhead|improvement|slowdown|regression|penalty"
    r"|reduction) of\s(?:about |around )?"
    r"|\b(?:another|an extra|an additional|extra|additional|adds|add|added|adding|saves|saved|saving"
    r"|costs us)\s(?:about |around |some )?"
    r"|(?:增加|减少|提高|降低|提升|下降|上升|相差|差|多|少|慢|快|高|低|涨|跌|掉|缩短|延长)了\s?(?:约|大约|近|将近)?\s?|相差\s?(?:约)?\s?"
    r"|\b(?:tăng|giảm|chậm|nhanh|cao|thấp|lâu|nhiều|ít)\s(?:thêm|hơn|đi|bớt|mất)\s(?:khoảng |tới |đến )?)$",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"\s?(?:(?:in |of )?(?:total |overall |mean |average |throughput |latency |time |performance |speed |end-to-end "
    r"|relative ){0,3})"
    r"(?:longer|shorter|slower|faster|quicker|higher|lower|more than|less than|better|worse|increase|decrease|drop"
    r"|difference"
    r"|reduction|improvement|slow-?down|speed-?up|regression|overhead|penalty|gap|degradation|gain|lag|jump|above"
    r"|below|over the|short of)\b"
    r"|\s?的?(?:差距|差异|提升|下降|损失|开销|增幅|降幅)"
    r"|\s(?:chênh lệch|nhanh hơn|chậm hơn|cao hơn|thấp hơn|lâu hơn)\b",
    re.IGNORECASE,
)
#: How such words before a number end: looked at first, as most numbers have none.
_LAST_WORDS: Final = (
    "by", "of", "about", "around", "roughly", "only", "some", " a", "another", "extra", "additional", "up to", "than",
    "adds", "add", "added", "adding", "saves", "saved", "saving", "us", "了", "差", "约", "近", "thêm", "hơn", "đi",
    "bớt", "mất", "khoảng", "tới", "đến",
)  # fmt: skip
_NEAR: Final = 60


def is_difference(amount: Amount, statement: Statement) -> bool:
    """Whether a number tells a change or a distance; one that turned (*by 30 to 60 %*) keeps what it is now."""
    start = max(statement.clause.start, amount.start - _NEAR)
    before = statement.text[start : amount.start]
    return (before.rstrip().casefold().endswith(_LAST_WORDS) and _BEFORE.search(before) is not None) or _BEHIND.match(
        statement.text, amount.end
    ) is not None
