"""Replacing what names people and machines: hosts, users, paths and addresses become stable placeholders.

One name has one placeholder in all that a redactor is given, numbered in the order in which names are met, so the
same input gives the same output and two values of one host can still be seen to be of one host.

>>> redact = Redactor(paths=["/home/eva/run7/gpu.log"])
>>> redact.text("eva@node12.example.org: /home/eva/run7/gpu.log:3, 10.0.0.7, see node12.example.org")
'user-1@host-1: path-1.log:3, address-1, see host-1'
>>> redact.data({"source": {"file": "/home/eva/run7/gpu.log", "line": 3}, "value": 0.7})
{'source': {'file': 'path-1.log', 'line': 3}, 'value': 0.7}
"""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_SUFFIX = re.compile(
    r"(?:\.(?:dam|pt|trace|json|jsonl|yaml|yml|txt|log|csv|xml|gz|sqlite|prom|out|md|html|tfevents))+$"
)
_USER_HOST = re.compile(r"(?<![\w.])([A-Za-z_][\w.-]{0,31})@([A-Za-z0-9][\w.-]{0,253})(?<![.-])")
_HOME = re.compile(r"(?:/(?:home|Users)/|\\Users\\)([\w.-]+)")
_PATH = re.compile(
    r"(?<![\w.:/\\<>-])(?:~?/(?:[\w.@+%=,-]+/)*[\w.@+%=-]*[\w%=-]|[A-Za-z]:\\[^\s:;,\"'<>|]+|\\\\[\w.-]+\\[^\s:;,\"'<>|]+)"
)
_URL = re.compile(r"\b([a-z][a-z0-9+.-]{1,10}://)([^\s/:@\"'<>]+(?::[^\s/@\"'<>]*)?@)?([\w.-]+)")
_NAMED_HOST = re.compile(
    r"\b(?:host(?:name)?|node|server|instance|pod)\s*[=:]\s*\"?([A-Za-z0-9][\w.-]{1,252})", re.IGNORECASE
)
_FULL_HOST = re.compile(
    r"(?<![\w.@/-])(?:[A-Za-z0-9](?:[\w-]{0,62})\.)+(?:com|net|org|io|ai|dev|edu|gov|cloud|local|internal|lan|corp|cluster"
    r"|svc|de|fr|uk|eu|cn|jp|ch|nl|in|vn|us|ca|au|kr|sg)(?![\w-])"
)
_FOUR = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_SIX = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f:]*\d)[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:.])")
_HARDWARE = re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:])")
_PLACEHOLDER = re.compile(r"(?:host|user|path|address)-\d+(?:\.[\w.]+)?$")
_PLAIN_WORDS = frozenset({"localhost", "root", "user", "unknown", "none"})
"""Names that tell nothing and would, replaced, hide words of other meaning."""


class Redactor:
    """Gives placeholders. ``paths`` are replaced wherever they stand, though they look like any other word."""

    def __init__(self, *, paths: Iterable[str] = (), hosts: Iterable[str] = (), users: Iterable[str] = ()) -> None:
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._pattern: re.Pattern[str] | None = None
        for path in paths:
            self._learn_users(path)
            self._path(path)
        for kind, names in (("host", hosts), ("user", users)):
            for name in names:
                self._placeholder(kind, name)

    def text(self, text: str) -> str:
        """Return a text without names."""
        for found in _USER_HOST.finditer(text):
            self._placeholder("user", found[1])
            self._placeholder("host", found[2])
        for found in _NAMED_HOST.finditer(text):
            self._placeholder("host", found[1])
        self._learn_users(text)
        text = self._known(text)
        text = _URL.sub(lambda found: f"{found[1]}{self._host(found[3])}", text)
        text = _PATH.sub(lambda found: self._path(found[0]), text)
        text = _HARDWARE.sub(lambda found: self._placeholder("address", found[0]), text)
        text = _FOUR.sub(self._address, text)
        text = _SIX.sub(self._address, text)
        text = _FULL_HOST.sub(lambda found: self._placeholder("host", found[0]), text)
        return self._known(text)

    def data(self, data: Any) -> Any:  # noqa: ANN401 - plain data as it goes into JSON and YAML
        """Return plain data with every text in it, keys of mappings included, without names."""
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, dict):
            return {self.text(key) if isinstance(key, str) else key: self.data(value) for key, value in data.items()}
        return [self.data(each) for each in data] if isinstance(data, list | tuple) else data

    def _placeholder(self, kind: str, name: str, suffix: str = "") -> str:
        if name.lower() in _PLAIN_WORDS or name.isdecimal() or _PLACEHOLDER.match(name):
            return name
        if name not in self._names:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._names[name] = f"{kind}-{self._counts[kind]}{suffix}"
            self._pattern = None
        return self._names[name]

    def _path(self, path: str) -> str:
        if path in ("", "-", "/", "~", "--set", "<stdin>") or path in self._names.values():
            return path
        suffix = _SUFFIX.search(path)
        return self._placeholder("path", path, suffix[0] if suffix else "")

    def _host(self, name: str) -> str:
        return self._address_of(name) or (name if name in self._names.values() else self._placeholder("host", name))

    def _address(self, found: re.Match[str]) -> str:
        return self._address_of(found[0]) or found[0]

    def _address_of(self, text: str) -> str | None:
        try:
            ipaddress.ip_address(text)
        except ValueError:
            return None
        return self._placeholder("address", text)

    def _learn_users(self, text: str) -> None:
        for found in _HOME.finditer(text):
            self._placeholder("user", found[1])

    def _known(self, text: str) -> str:
        """Replace the names that were met before, the longest first."""
        if not self._names:
            return text
        if self._pattern is None:
            names = sorted(self._names, key=lambda name: (-len(name), name))
            self._pattern = re.compile(r"(?<![\w.-])(?:" + "|".join(map(re.escape, names)) + r")(?![\w-])")
        return self._pattern.sub(lambda found: self._names[found[0]], text)
