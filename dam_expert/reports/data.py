"""The diagnosis document as JSON and YAML, for programs.

Both parse back to the same data. Characters that could act on a terminal (control characters, direction marks, lone
surrogates) are written as escapes of the format; all other letters stay readable.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from dam_expert.documents.messages import UNSAFE


def to_json(data: Mapping[str, Any]) -> str:
    r"""Write a document as JSON, two spaces deep, keys in document order.

    >>> print(to_json({"title": "a\x1b[31m\u202e", "share": 0.45}), end="")
    {
      "title": "a\u001b[31m\u202e",
      "share": 0.45
    }
    """
    return _escaped(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def to_yaml(data: Mapping[str, Any]) -> str:
    r"""Write a document as YAML, keys in document order; a text with unsafe characters is double-quoted.

    >>> print(to_yaml({"title": "a\u202e", "share": 0.45}), end="")
    title: "a\u202e"
    share: 0.45
    """
    if not data:
        return _dumped(data)
    return "".join(_entry(key, value) for key, value in data.items())


def _entry(key: str, value: Any) -> str:  # noqa: ANN401  (plain data)
    """Write one entry of a document, its parts one by one: what was written before is remembered."""
    if not value or _NAME.fullmatch(key) is None:
        return _dumped({key: value})
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        inside = "".join(_entry(name, one) for name, one in value.items())
        return f"{key}:\n" + "".join(f"  {line}" if line.strip() else line for line in inside.splitlines(keepends=True))
    if isinstance(value, list):
        return f"{key}:\n" + "".join(map(_item, value))
    if isinstance(value, str) and _is_plain(value):
        return f"{key}: {_quoted(value)}\n"
    return _known({key: value})


def _item(value: Any) -> str:  # noqa: ANN401  (plain data)
    """Write one entry of a list."""
    if isinstance(value, str) and _is_plain(value):
        return f"- {_quoted(value)}\n"
    return _known([value])


def _known(data: Any) -> str:  # noqa: ANN401  (plain data)
    """Write a small part of a document, or look up how it was written before."""
    try:
        return _written(json.dumps(data, ensure_ascii=False))
    except (TypeError, ValueError):
        return _dumped(data)


def _is_plain(text: str) -> bool:
    return len(text) > _LONG and text.isprintable() and UNSAFE.search(text) is None


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


@functools.lru_cache(maxsize=4096)
def _written(text: str) -> str:
    return _dumped(json.loads(text))


def _dumped(data: Any) -> str:  # noqa: ANN401  (plain data)
    return _escaped(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=4096))


def _escaped(text: str) -> str:
    """Escape unsafe characters; they stand only inside quotes, where both formats read such escapes."""
    # line ends are layout: both formats escape those within texts
    return UNSAFE.sub(lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", text)


#: A long text of one line is written as it is: the writer of YAML would look at each letter several times.
_LONG: Final = 200
#: Names that stand for themselves, unlike 'no' and 'null'.
_NAME: Final = re.compile(r"(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z][a-z0-9_-]*")


class _Dumper(yaml.SafeDumper):
    """The safe dumper, with quotes around texts that need escapes, and without anchors."""

    def ignore_aliases(self, data: object) -> bool:
        """Write equal parts out: a reader of the document need not know anchors."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    unsafe = UNSAFE.search(text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if unsafe else None)


_Dumper.add_representer(str, _text)
