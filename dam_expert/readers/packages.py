r"""Lists of installed packages: ``pip freeze``, ``pip list``, and the difference of two of them (``diff -u``).

>>> from dam_expert.readers.source import Source
>>> raw = b" numpy==1.26.4\n-torch==2.1.0\n+torch==2.2.0+cu121\n nvidia-nccl-cu12==2.19.3\n"
>>> reading = PackagesReader().read(Source.of_bytes("changes.diff", raw))
>>> [(each.measurement, each.value) for each in reading.observations]
[('framework', 'PyTorch'), ('framework_version', '2.2.0+cu121'), ('nccl_version', '2.19.3')]
>>> reading.messages[0].text
'changed: torch 2.1.0 to 2.2.0+cu121'
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_PACKAGE = re.compile(
    r"^([+-]?)(?:\[(?:pip3?|conda)\]\s+)?([A-Za-z0-9][\w.-]{0,80})\s*(?:==|@ )\s*(\S{1,300})(?:\s*;.*)?$"
)
_LISTED = re.compile(r"^([A-Za-z0-9][\w.-]{0,80})\s+(\d[\w.+!-]{0,60})(?:\s+\S.*)?$")
_OLD = re.compile(r"^([A-Za-z0-9][\w.-]{0,80}) \((\d[\w.+!-]{0,60})(?:, [^()]{1,300})?\)$")
_SHOWN = re.compile(r"^(Name|Version): (\S{1,80})$")
_JSON = re.compile(r'^\[\s*\{\s*"name": "[^"]*", "version": "')
_ENTRY = re.compile(r'"name": "([A-Za-z0-9][\w.-]{0,80})", "version": "(\d[\w.+!-]{0,60})"')
_TABLE = re.compile(r"^Package\s+Version\b")
_OTHER = re.compile(r"^(?:#|-e\s|---|\+\+\+|@@|-{3,}|\\ No newline|WARNING:|\[notice\])")
_VERSION = re.compile(r"^[\dv][\w.+!-]{0,60}$")
_SETTINGS = (
    ("cuda_version", re.compile(r"^nvidia-cuda-runtime(?:-cu\d+)?$")),
    ("cudnn_version", re.compile(r"^nvidia-cudnn(?:-cu\d+)?$")),
    ("nccl_version", re.compile(r"^nvidia-nccl(?:-cu\d+)?$")),
)
_FRAMEWORKS = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX", "mxnet": "MXNet", "paddlepaddle": "Paddle"}
_MOST = 20
"""Changes that are named; more is another environment."""


@dataclasses.dataclass(frozen=True, slots=True)
class PackagesReader:
    """Reads lists of packages."""

    tool: str = "pip"
    title: str = "pip freeze or pip list"
    versions: str = "pip freeze, pip list (old form too), pip show, conda list, and differences of them"

    def recognises(self, source: Source) -> bool:
        """Whether most lines of the head are packages with versions, or the table of ``pip list`` begins."""
        every = [text for text in source.head_lines if text]
        lines = [text for text in every if not _OTHER.match(text)]
        if _JSON.match(source.head):
            return True
        if lines and any(_TABLE.match(line) for line in lines[:20]):
            return True
        if any(
            one.startswith("Name: ") and two.startswith("Version: ") for one, two in itertools.pairwise(lines[:200])
        ):
            return any(line.startswith(("Summary: ", "Home-page: ", "Requires: ")) for line in lines[:200])
        found = sum(bool(_PACKAGE.match(line) or _OLD.match(line)) for line in lines)
        return found >= 2 and found * 10 >= len(lines) * 8

    def read(self, source: Source) -> Reading:
        """Return the framework and the libraries that speed depends on; of a difference, what changed."""
        return read_lines(source, self.tool, Packages())


@dataclasses.dataclass(slots=True)
class Packages:
    """Versions by package, and the versions before where the text is a difference."""

    now: dict[str, tuple[str, int]] = dataclasses.field(default_factory=dict)
    before: dict[str, str] = dataclasses.field(default_factory=dict)
    changed: set[str] = dataclasses.field(default_factory=set)
    shown: str = ""
    """The package whose fields ``pip show`` is listing."""

    def take(self, line: int, text: str) -> bool:
        """Take a line of a list."""
        if _OTHER.match(text) or _TABLE.match(text):
            return True
        if entries := _ENTRY.findall(text):
            self.now |= {_canonical(name): (version, line) for name, version in entries}
            return True
        if shown := _SHOWN.match(text):
            self.shown = shown[2] if shown[1] == "Name" else self.shown
            if self.shown and shown[1] == "Version" and _VERSION.match(shown[2]):
                self.now[_canonical(self.shown)] = (shown[2], line)
            return True
        if self.shown:
            return True  # what else ``pip show`` tells of a package
        if old := _OLD.match(text):
            self.now[_canonical(old[1])] = (old[2], line)
            return True
        found = _PACKAGE.match(text)
        if found is None:
            listed = _LISTED.match(text)
            if listed is not None:
                self.now[_canonical(listed[1])] = (listed[2], line)
            return listed is not None
        name, version = _canonical(found[2]), found[3]
        if not _VERSION.match(version):
            version = ""  # an address: it is not shown
        if found[1] == "-":
            self.before[name] = version
        else:
            self.now[name] = (version, line)
        if found[1]:
            self.changed.add(name)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield the framework, where there is one, and its libraries."""
        frameworks = [name for name in _FRAMEWORKS if name in self.now]
        if len(frameworks) == 1:
            version, line = self.now[frameworks[0]]
            yield from said(tell, "framework", _FRAMEWORKS[frameworks[0]], "list of packages", line=line)
            yield from said(tell, "framework_version", version, "list of packages", line=line)
        for measurement, pattern in _SETTINGS:
            names = [name for name in self.now if pattern.match(name)]
            if len(names) == 1:
                version, line = self.now[names[0]]
                yield from said(tell, measurement, version, f"package {names[0]}", line=line)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        """Yield what changed, if the text is a difference, and whether anything in it is known."""
        if self.changed:
            parts = [_change(name, self.before.get(name), self.now.get(name)) for name in sorted(self.changed)]
            more = f" and {len(parts) - _MOST} more" if len(parts) > _MOST else ""
            yield tell.note("packages-changed", f"changed: {', '.join(parts[:_MOST])}{more}")
        if not any(self.observations(tell)):
            yield tell.note("no-values", f"none of its {len(self.now)} packages is one that speed depends on")


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _change(name: str, before: str | None, now: tuple[str, int] | None) -> str:
    if before is None:
        return f"{name} added" + (f" ({now[0]})" if now and now[0] else "")
    if now is None:
        return f"{name} removed" + (f" ({before})" if before else "")
    return f"{name} {before or 'unknown'} to {now[0] or 'unknown'}"
