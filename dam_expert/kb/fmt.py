"""Formats knowledge and runbook files: indentation, spacing, ends of lines. Every comment stays, values never change.

The round trip is that of ruamel.yaml; what comes out is read again, and a result that lost a comment, changed a value
or would be formatted once more is refused.
"""

from __future__ import annotations

import io
from collections import Counter
from typing import TYPE_CHECKING, Any

import yaml

from dam_expert.documents.messages import Level, Message
from dam_expert.kb.source import SourceDocument, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_UNBROKEN = 10_000
_SHOWN = 120


def formatted(path: Path, file: str) -> tuple[str | None, list[Message]]:
    """Return a file in the one format, or None with the reason. Raises ImportError without the extra ``author``."""
    before, messages = read_yaml(path, file=file)
    if before is None or messages:
        return None, messages
    text = path.read_text(encoding="utf-8-sig")
    try:
        once = _round_trip(text)
        reason = _reason_against(text, once, before, file)
    except (yaml.YAMLError, _round_trip_error(), ValueError) as error:  # this parser reads less than the loader
        said = " ".join(str(error).split())
        once, reason = "", f"the formatter cannot read it: {said[:_SHOWN]}"
    return (once, []) if reason is None else (None, [_refused(file, reason)])


def _reason_against(text: str, once: str, before: SourceDocument, file: str) -> str | None:
    """Return why a formatted text must not take the place of the original, or None."""
    after, problems = read_yaml(once, file=file)
    if after is None or problems or after.data != before.data:
        return "formatting would change a value"
    lost = Counter(comments(text)) - Counter(comments(once))
    if lost or sum(Counter(comments(once)).values()) != sum(Counter(comments(text)).values()):
        return f"formatting would lose the comment '{next(iter(lost), '')[:_SHOWN]}'"
    return "formatting would not come to an end" if _round_trip(once) != once else None


def _round_trip_error() -> type[Exception]:
    from ruamel.yaml.error import YAMLError

    found: type[Exception] = YAMLError
    return found


def _refused(file: str, text: str) -> Message:
    return Message(file=file, level=Level.ERROR, code="not-formatted", text=text, hint="format it by hand")


def _round_trip(text: str) -> str:
    from ruamel.yaml import YAML
    from ruamel.yaml.representer import RoundTripRepresenter

    class Representer(RoundTripRepresenter):  # a class of our own: representers are registered on classes
        def represent_none(self, data: None) -> Any:  # noqa: ANN401  # the type is ruamel's
            return self.represent_scalar("tag:yaml.org,2002:null", "null")

    Representer.add_representer(type(None), Representer.represent_none)

    parser = YAML(typ="rt")
    parser.Representer = Representer
    parser.preserve_quotes = True
    parser.brace_single_entry_mapping_in_flow_sequence = True
    parser.width = _UNBROKEN
    parser.indent(mapping=2, sequence=4, offset=2)
    parser.allow_duplicate_keys = False
    sink = io.StringIO()
    parser.dump(parser.load(text), sink)
    lines = [line.rstrip() for line in sink.getvalue().splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def comments(text: str) -> Iterator[str]:
    r"""Yield the comments of a YAML text, without the blanks around them; a hash inside a scalar is none.

    >>> list(comments("# one\na: 'x # y' # two\n"))
    ['# one', '# two']
    """
    covered = [
        (token.start_mark.index, token.end_mark.index)
        for token in yaml.scan(text, Loader=yaml.SafeLoader)
        if isinstance(token, yaml.ScalarToken)
    ]
    at = 0
    for start, end in [*covered, (len(text), len(text))]:
        for line in text[at:start].splitlines():
            _, mark, said = line.partition("#")
            if mark:
                yield f"#{said}".rstrip()
        at = end
