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
    r"(?:jobs?|runs?|machines?|box|boxes|rig|laptop|workstation|desktop|cluster|nodes?|experiments?|trial|site|numbers"
    r"|data ?cent(?:er|re)|figures|measurements|papers?|benchmarks?)\b"
)
_WORDS: Final = r"(?:[\w-]+\s){0,2}?"
_PERSON: Final = (
    r"(?:mate|colleague|coworker|friend|neighbou?r|boss|manager|cousin|brother|sister|partner|vendor|professor|supervisor"
    r"|student)"
)
_NO_PERSON: Final = (
    r"(?:Today|Monday|It|That|What|Who|Here|There|Let|Everything|Nothing|Node|Rank|Ray|Slurm|Kubernetes|Docker|Keras|Torch"
    r"|Triton|Python|Linux|Google|Meta|Azure|Amazon)"
)
_DAY: Final = r"(?:week|month|quarter|year|night|sprint|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|winter)"
)
_PERSON_VI: Final = r"(?:anh|chị|bạn|cô|chú|ông|bà|em|nhóm|team)"
#: Behind a word for an earlier time, that the state since then is told.
_SINCE_THEN: Final = r"(?![^，。；]{0,8}(?:开始|起|以来|至今|后|升级|更新|换|改))"
_SINCE_THEN_VI: Final = r"(?![^,.;]{0,24}(?:đến nay|tới nay|nâng cấp|đổi))"
_OTHERS: Final = re.compile(
    # somebody's; names of what a job is made of have no jobs
    rf"\b(?:his|her|their|your|someone's|somebody's|(?:my|our|the|a)\s(?:[\w-]+\s)?{_PERSON}(?:['’]s|s['’]))"
    rf"\s{_WORDS}{_THING}"
    rf"|\b(?-i:(?!{_NO_PERSON})[A-Z][a-z]+)['’]s\s{_WORDS}{_THING}"
    # of another time or place
    rf"|\b(?:yesterday['’]s|(?<!since )last\s{_DAY}['’]s|the\s(?:previous|earlier|former|old)"
    r"|a\s(?:previous|former|past))\s(?:job|run|experiment|trial)\b"
    r"|\b(?:our|the|my|a)\s(?:second|third|other|neighbou?ring)\s(?:site|cluster|data ?cent(?:er|re)|region|rack|lab)\b"
    r"|\bmy\s(?:own|old|home|private|personal)\s(?:laptop|workstation|desktop|pc|machine|box|rig)\b"
    r"|\bon\s(?:the|a|our|my)\s(?:dev|development|staging|test|demo|sandbox)\s(?:box|machine|node|server|cluster|host)\b"
    r"|\b(?:in|of)\s(?:run|job|experiment|trial)\s#?\d+\b(?=[^.;]{0,60}\b(?:was|were|had)\b)"
    r"|\b(?:his|hers?)\s[a-z]|\b(?:smoke test|canary)\b|\bunder\sthe\s(?:old|previous|former)\s"
    r"|\b(?:on|under|at)\s(?:my|his|her|their)\sdesk\b"
    rf"|\buntil\s(?:last\s)?(?:{_MONTH}|{_DAY})\b|\b(?:back\sin|in)\sthe\s(?:winter|spring|summer|autumn|fall|past)\b"
    r"|\b(?:days|weeks|months|years)\sago\s(?:logged|had|used|showed|took|ran)\b"
    # hearsay, wishes and jokes
    r"|\b(?:mentioned|swears?|swore|reckons?|insists?|word is|word has it|has it that|so they say|allegedly|supposedly"
    r"|reportedly|dreams? of|oh sure|yeah right|as if|pigs fly)\b"
    r"|\b(?:it would|it['’]d) be (?:great|nice|cool|lovely) to (?:see|have|get|reach|hit)\s(?:[\w-]+\s){0,3}?\d"
    # of texts
    r"|\bfrom\s(?:the|its|their)\s(?:docs|documentation|manual|handbook|guide|faq|wiki|readme|paper|blog)\b"
    r"|['’]s\s(?:web ?page|web ?site|blog|white ?paper|docs)\b"
    r"|\bet al\b\.?|(?<!as )\b(?:in|from|of)\s(?:their|the|this|that|a)\s(?:[\w-]+\s)?"
    r"(?:paper|preprint|article|whitepaper|talk)\b"
    r"|\b(?:man page|handbook|manual|docs|documentation|guide|model card)\s"
    r"(?:gives|shows|has|uses|recommends|suggests|advises|lists)\b"
    # Chinese
    r"|(?:小|老|阿)[\u4e00-\u9fff](?:的|那边|那里)|自己的(?:工作站|电脑|笔记本|机器)|开发机上|测试机上|(?:老|旧)机房(?!搬)"
    r"|(?:他|她|他们|她们|对方|隔壁组?|别的组|兄弟组)的?(?:任务|机器|作业|那边|集群|实验|模型)"
    r"|上一?次(?:的)?(?:实验|训练|任务|运行)|上一个(?:实验|任务|作业)|(?:昨天|前天|上周)那个?(?:任务|实验|作业)"
    rf"|(?<![从自])(?:年初|去年|前年|上个?月|上周|当时|那时候?){_SINCE_THEN}"
    r"|(?:有人|他|她|群里|网上|朋友|邻居)[^，。；]{0,6}说|呵呵"
    r"|论文(?:中|里|的)?(?:表|图)|(?:文档|手册|教程|指南)(?:(?:里|中)?的例子|推荐|建议)|评测(?:里|中)|示例值"
    # Vietnamese
    rf"|\bcủa\s{_PERSON_VI}\s(?-i:[A-ZĐ]\w+)|\bcủa\s(?:họ|người ta|bạn ấy|anh ấy|chị ấy|cô ấy)\b"
    r"|\b(?:trên\s)?máy\s(?:của\s)?(?:dev|test|cá nhân|ở nhà|sếp|bạn|nhà)\b"
    r"|\blần\s(?:chạy\s)?trước\b|\blần\s(?:chạy\s)?hôm\s(?:qua|kia)\b"
    rf"|(?<!từ )\b(?:hồi\s)?(?:đầu|cuối|giữa)\s(?:năm|tháng|tuần)\b{_SINCE_THEN_VI}"
    r"|\bbên\s(?:đối tác|khách|nhà cung cấp|kia)\b|\btrong\s(?:đề xuất|kế hoạch)\b"
    r"|\btheo\s(?:lời\s)?(?:anh|chị|bạn|ông|bà|sếp|hãng|nhóm)\b|\btrong\s(?:bài báo|tài liệu)\b"
    r"|\b(?:tài liệu|sách|bài báo|hướng dẫn)\s(?:có\s)?(?:viết|ghi|nói|nêu|khuyên|gợi ý)\b",
    re.IGNORECASE,
)
#: Where the reporter's own stands against that of others, the sentence before it is of them.
_OURS: Final = re.compile(
    r"(?:(?<=[.!?;]\s)|(?<=[。！？；，]))(?:ours|mine|as for (?:us|me|ours|mine)|here it|我这里|我这边"
    r"|我们这里|我们这边|我们自己的)(?![A-Za-z])"
    r"(?=[^.!?。！？]{0,60}(?:\d|\b(?:not|no|nobody|never|unknown)\b|未|没|不知道))",
    re.IGNORECASE,
)
_SENTENCE_CHARACTERS: Final = 600
"""How far back the sentence before is looked for."""
_SENTENCE_END: Final = re.compile(r"[.!?;]\s|[。！？；]|\n")
_OWN: Final = re.compile(r"\b(?:i|we|our|us|it|its)\b|我|本", re.IGNORECASE)


def told_of_others(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text that name what is somebody else's, of another time, or of a text."""
    for found in _OTHERS.finditer(text):
        yield found.span()
    for ours in _OURS.finditer(text):
        first = max(0, ours.start() - _SENTENCE_CHARACTERS)
        ends = [each.end() for each in _SENTENCE_END.finditer(text, first, max(first, ours.start() - 2))]
        start = ends[-1] if ends else first
        if not _OWN.search(text, start, ours.start()):
            yield start, ours.start()
