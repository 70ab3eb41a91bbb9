"""The diagnosis document as JSON and YAML, for programs.

Both parse back to the same data. Characters that could act on a terminal (control characters, direction marks, lone
surrogates) are written as escapes of the format; all other letters stay readable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

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
    return _escaped(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=4096))


def _escaped(text: str) -> str:
    """Escape unsafe characters; they stand only inside quotes, where both formats read such escapes."""
    # line ends are layout: both formats escape those within texts
    return UNSAFE.sub(lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", text)


class _Dumper(yaml.SafeDumper):
    """The safe dumper, with quotes around texts that need escapes, and without anchors."""

    def ignore_aliases(self, data: object) -> bool:
        """Write equal parts out: a reader of the document need not know anchors."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    unsafe = UNSAFE.search(text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if unsafe else None)


_Dumper.add_representer(str, _text)
