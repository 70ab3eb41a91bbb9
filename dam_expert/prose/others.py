r"""Whose a job, machine or text is: *Tuan's BERT run*, 小王的任务, *job của anh Tuấn*, *last Friday's job*.

What is told of it says nothing of the job that a report is about. No list holds such names, so they are found by what
stands around them: a possessive before a thing that may be somebody's.

>>> [bool(list(told_of_others(text))) for text in ("On her job it is 12 %", "Tuan's BERT run shows", "our own job")]
[True, True, False]
>>> [bool(list(told_of_others(text))) for text in ("小王的任务", "我们的任务", "today's run")]
[True, False, False]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_THING: Final = (
    r"(?:jobs?|runs?|machines?|box|boxes|rig|laptop|workstation|desktop|cluster|nodes?|setup|training|model|experiments?|trial"
    r"|site|data ?cent(?:er|re)|numbers|figures|measurements|paper|papers|benchmarks?|project)\b"
)
_WORDS: Final = r"(?:[\w-]+\s){0,2}?"
_DAY: Final = r"(?:week|month|quarter|year|night|sprint|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_PERSON_VI: Final = r"(?:anh|chị|bạn|cô|chú|ông|bà|em|nhóm|team)"
_OTHERS: Final = re.compile(
    # somebody's; names of what a job is made of have no jobs
    rf"\b(?:his|her|their|your|someone's|somebody's|(?:(?:my|our|the|a)\s(?:[\w-]+\s)?(?:mate|colleague|coworker|friend"
    rf"|neighbou?r|boss|manager|cousin|brother|sister|partner|customer|client|vendor|professor|supervisor|student)"
    rf"(?:['’]s|s['’])))\s{_WORDS}{_THING}"
    rf"|\b(?-i:(?!Today|Monday|It|That|What|Here|There|Let|GPU|CPU|PyTorch|Node|Rank|NVIDIA)[A-Z][a-z]+)['’]s\s{_WORDS}{_THING}"
    # of another time or place
    rf"|\b(?:yesterday['’]s|last\s{_DAY}['’]s|the\s(?:previous|last|earlier|former|old)|a\s(?:previous|former|past))\s"
    r"(?:job|run|experiment|trial)\b"
    r"|\b(?:our|the|my|a)\s(?:second|third|other|neighbou?ring)\s(?:site|cluster|data ?cent(?:er|re)|region|rack|lab)\b"
    r"|\bmy\s(?:own|old|home|private|personal)\s(?:laptop|workstation|desktop|pc|machine|box|rig)\b"
    r"|\bon\s(?:the|a|our|my)\s(?:dev|development|staging|test|demo|sandbox)\s(?:box|machine|node|server|cluster|host)\b"
    # of texts
    r"|\b(?:in|of)\s(?:run|job|experiment|trial)\s#?\d+\b(?=[^.;]{0,60}\b(?:was|were|had)\b)"
    r"|\bfrom\s(?:the|its|their)\s(?:docs|documentation|manual|handbook|guide|faq|wiki|readme|paper|blog)\b"
    r"|\bet al\b\.?|\b(?:in|from|of)\s(?:their|the|this|that|a)\s(?:[\w-]+\s)?"
    r"(?:paper|preprint|article|whitepaper|talk)\b"
    r"|\b(?:man page|handbook|manual|docs|documentation|guide|model card)\s(?:gives|shows|has|uses|recommends|lists)\b"
    r"|\b(?:oh sure|yeah right|as if)\b"
    # Chinese
    r"|(?:小|老|阿)[\u4e00-\u9fff](?:的|那边|那里)|(?:他|她|他们|她们|对方|隔壁组?|别的组|兄弟组)的?(?:任务|机器|作业|那边|集群|实验|模型)"
    r"|上一?次(?:的)?(?:实验|训练|任务|运行)|上一个(?:实验|任务|作业)|自己的(?:工作站|电脑|笔记本|机器)|开发机上|测试机上"
    r"|论文(?:中|里|的)?(?:表|图)|(?:文档|手册|教程)(?:里|中)?的例子|示例值|呵呵"
    # Vietnamese
    rf"|\bcủa\s{_PERSON_VI}\s(?-i:[A-ZĐ]\w+)|\bcủa\s(?:họ|người ta|bạn ấy|anh ấy|chị ấy|cô ấy)\b"
    r"|\b(?:trên\s)?máy\s(?:dev|test|cá nhân|ở nhà)\b|\blần\s(?:chạy\s)?trước\b|\btrong\s(?:bài báo|tài liệu)\b"
    r"|\b(?:tài liệu|sách|bài báo|hướng dẫn)\s(?:có\s)?(?:viết|ghi|nói|nêu)\b",
    re.IGNORECASE,
)


def told_of_others(text: str) -> Iterator[re.Match[str]]:
    """Yield the places of a text that name what is somebody else's, of another time, or of a text."""
    return _OTHERS.finditer(text)
