r"""The forms in which reports come: Markdown and plain text, mail, chat threads, GitHub issues as JSON.

Each becomes passages; what others than the reporter wrote is marked as second-hand. Lines of an issue are those of
its title, body and comments one below the other.

>>> mail = "From: a@b.c\nSubject: Training crawls\nDate: today\n\nThe loader waits.\n"
>>> [(each.kind.value, each.text) for each in passages_of(mail)]
[('title', 'Training crawls'), ('text', 'The loader waits.')]
>>> issue = '{"title": "Slow", "body": "It waits.", "comments": [{"user": {"login": "b"}, "body": "Why?"}]}'
>>> [(each.text, each.second_hand) for each in passages_of(issue)]
[('Slow', False), ('It waits.', False), ('Why?', True)]
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING, Any

from dam_expert.prose.passages import FRONT_MATTER, LINE_CHARACTERS, Kind, Passage, Piece, passages

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAIL_HEADER = re.compile(r"^(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|Return-Path|Received)\s?: ?(.*)$")
_SUBJECT = re.compile(
    r"^Subject\s?: ?(?:(?:re|fwd?|aw|wg|tr|转发|轉寄|回复|答复|chuyển tiếp)\s?[:：] ?)*(.*)$", re.IGNORECASE
)
_FORWARDED = re.compile(
    r"^Subject\s?: ?(?:re\s?: ?)*(?:fwd?|wg|tr|rv|i|转发|轉寄|chuyển tiếp|ct)\s?[:：]", re.IGNORECASE
)
#: The headers of a mail inside of a text, in the words of the programs that write them.
_INNER_HEADER = re.compile(
    r"^\s{0,4}[*_]{0,2}(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|Gesendet|发件人|收件人|抄送|主题|日期|发送时间|时间"
    r"|Từ|Người gửi|Đến|Tới|Gửi|Chủ đề|Tiêu đề|Ngày)[*_]{0,2}\s?[:：]"
)
_INNER_HEADERS = 3
_MAIL_HEADERS = 3
_CHAT = re.compile(
    r"^\s{0,4}(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\]?\s{0,3}[-–|]?\s{0,3})"
    r"<?@?([^\W\d][\w.-]{0,40}(?: [\w.-]{1,40})?)>?\s?(?::|\||>)\s+(?=\S)"
)
_CHAT_LINES = 2
_LOG_LEVELS = frozenset({"info", "warning", "warn", "debug", "error", "notice", "trace", "critical", "fatal"})
#: Keys ahead of a text, between two rules.
_RULE = "---"
_KEY = re.compile(r"^([^\W\d_][\w -]{0,40})[:：]\s*(.*)$")
_FRONT_LINES = 60
_SIGNATURE = re.compile(r"^-- ?$")
_FILE_LOOKED_AT = 40
_COMMENTS = 5000
"""Comments of one issue that are read."""


def passages_of(text: str) -> list[Passage]:
    """Return the passages of a report in whatever form it comes."""
    issue = issue_in(text)
    if issue is not None:
        return _of_issue(issue)
    lines = text.split("\n")
    ahead = front_matter(lines)
    if ahead:
        return _with_front_matter(lines, ahead)
    if is_mail(lines):
        return _of_mail(lines)
    if is_chat(lines):
        return _of_chat(lines)
    return _with_inner_mail(lines)


def front_matter(lines: list[str]) -> int:
    """Return how many lines of keys between two rules a text begins with; 0 where it does not."""
    if not lines or lines[0].rstrip() != _RULE:
        return 0
    end = next((at for at, line in enumerate(lines[1:_FRONT_LINES], 1) if line.rstrip() in (_RULE, "...")), 0)
    keyed = sum(_KEY.match(line[:LINE_CHARACTERS]) is not None for line in lines[1:end])
    return end + 1 if keyed and keyed * 2 >= end - 1 else 0


def _with_front_matter(lines: list[str], ahead: int) -> list[Passage]:
    """Return the passages of a text with keys ahead of it: each of those is one, and that of the title the title."""
    found: list[Passage] = []
    for number, line in enumerate(lines[1 : ahead - 1], 2):
        key = _KEY.match(line[:LINE_CHARACTERS])
        if key is None or not key[2].strip():
            continue
        if key[1].casefold() == "title" and not any(each.kind is Kind.TITLE for each in found):
            found.insert(0, _title(key[2].strip(" \"'"), number, key.start(2)))
        else:
            text = line[:LINE_CHARACTERS].rstrip()
            piece = (Piece(0, number, 0),)
            found.append(Passage(kind=Kind.ITEM, text=text, pieces=piece, language=FRONT_MATTER, aside=True))
    titled = any(each.kind is Kind.TITLE for each in found)
    return found + _with_inner_mail(lines[ahead:], ahead + 1, titled=titled)


def _with_inner_mail(
    lines: list[str], first_line: int = 1, *, titled: bool = False, second_hand: bool = False
) -> list[Passage]:
    """Return the passages of some lines; from the headers of a mail on somebody else wrote them."""
    inner = inner_mail(lines)
    found = passages(lines[:inner], first_line=first_line, titled=titled, second_hand=second_hand)
    if inner < len(lines):
        found += passages(lines[inner:], first_line=first_line + inner, titled=True, second_hand=True)
    return found


def inner_mail(lines: list[str]) -> int:
    """Return where the headers of a mail stand in a text, three or more in a row; its length where none do."""
    row = 0
    for number, line in enumerate(lines):
        row = row + 1 if _INNER_HEADER.match(line[:200]) else 0
        if row == _INNER_HEADERS:
            return number - _INNER_HEADERS + 1
    return len(lines)


def issue_in(text: str) -> dict[str, Any] | None:
    """Return the issue that a JSON export holds, or None. Nesting deeper than Python reads is no issue."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if isinstance(data, dict) and isinstance(data.get("issue"), dict):
        data = {**data, **data["issue"]}
    is_issue = isinstance(data, dict) and isinstance(data.get("title"), str) and isinstance(data.get("body"), str)
    return data if is_issue else None


def is_mail(lines: list[str]) -> bool:
    """Whether the text begins with the headers of a mail."""
    return sum(_MAIL_HEADER.match(line[:200]) is not None for line in lines[:_FILE_LOOKED_AT]) >= _MAIL_HEADERS


def is_chat(lines: list[str]) -> bool:
    """Whether the first lines are messages of a chat, each with a time and a name."""
    looked = [line[:200] for line in lines[:_FILE_LOOKED_AT] if line.strip()]
    names = [head[1].strip().lower() for line in looked if (head := _CHAT.match(line))]
    return len(names) >= max(_CHAT_LINES, len(looked) // 3) and _LOG_LEVELS.isdisjoint(names)


def _of_issue(issue: dict[str, Any]) -> list[Passage]:
    author = _author(issue)
    found = [_title(issue["title"], 1)] if issue["title"].strip() else []
    body = issue["body"].replace("\r", "")
    found += _with_inner_mail(body.split("\n"), 3, titled=True)
    line = body.count("\n") + 5
    comments = issue.get("comments")
    for comment in comments[:_COMMENTS] if isinstance(comments, list) else ():
        if isinstance(comment, dict) and isinstance(comment.get("body"), str):
            other = author is None or _author(comment) != author
            text = comment["body"].replace("\r", "")
            own = passages(text, first_line=line, titled=True, second_hand=other)
            found += [dataclasses.replace(each, stranger=other) for each in own]
            line += text.count("\n") + 2
    return found


def _author(entry: dict[str, Any]) -> str | None:
    user = entry.get("user") or entry.get("author")
    name = user.get("login") if isinstance(user, dict) else user
    return name if isinstance(name, str) else None


def _title(text: str, line: int, column: int = 0) -> Passage:
    return Passage(kind=Kind.TITLE, text=text[:LINE_CHARACTERS].replace("\n", " "), pieces=(Piece(0, line, column),))


def _of_mail(lines: list[str]) -> list[Passage]:
    found: list[Passage] = []
    start = 0
    forwarded = False
    for number, line in enumerate(lines[:_FILE_LOOKED_AT], 1):
        forwarded = forwarded or _FORWARDED.match(line[:LINE_CHARACTERS]) is not None
        subject = _SUBJECT.match(line[:LINE_CHARACTERS])
        if subject and subject[1].strip() and not found:
            found.append(_title(subject[1].strip(), number, subject.start(1)))
        if not line.strip() and found:
            start = number
            break
    end = next((at for at in range(start, len(lines)) if _SIGNATURE.match(lines[at])), len(lines))
    return found + _with_inner_mail(lines[start:end], start + 1, titled=bool(found), second_hand=forwarded)


def _of_chat(lines: list[str]) -> list[Passage]:
    found: list[Passage] = []
    reporter: str | None = None
    for speaker, start, block in _messages(lines):
        reporter = speaker if reporter is None else reporter
        found += passages(block, first_line=start, titled=True, second_hand=speaker != reporter)
    return found


def _messages(lines: list[str]) -> Iterator[tuple[str, int, list[str]]]:
    """Yield speaker, first line and lines of each message; the head of its first line is blanked."""
    speaker, start = "", 1
    block: list[str] = []
    for number, line in enumerate(lines, 1):
        head = _CHAT.match(line[:200])
        if head:
            if any(each.strip() for each in block):
                yield speaker, start, block
            speaker, start, block = head[1], number, [" " * head.end() + line[head.end() : LINE_CHARACTERS]]
        else:
            block.append(line)
    if any(each.strip() for each in block):
        yield speaker, start, block
