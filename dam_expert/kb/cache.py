"""Keeps the shipped base on disk as it was made, so that the next process need not read and check its files again.

What is kept is data and nothing else: entries, condition trees, the node table and warnings as MessagePack, read back
into the types of the base, the entries of rules when one is asked for. Nothing in it is run. The name of a file is a
hash of everything that the base is made of: the content of each of its files, the version, and the modules that make
it. The file holds that name too, under the hash of its content that it begins with. It counts only if it is a plain
file in a folder that is no link, if nobody else may write either, if it has that hash and that name, and if what it
holds fits together; any other is as none, and the base is made anew. Nothing is written through a link or into a pipe.
Where nothing can be written nothing is kept, and nothing is said.

It lies in ``dam-expert`` under ``$XDG_CACHE_HOME``, else under ``~/.cache``. ``DAM_CACHE`` names another folder, and
``off`` keeps nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from dam_expert._version import __version__
from dam_expert.documents.messages import Message
from dam_expert.kb import appendix_models, models
from dam_expert.kb import base as parts
from dam_expert.kb.where import loaded_files
from dam_expert.language.conditions import Tree
from dam_expert.language.names import Role
from dam_expert.language.program import CompiledRule, Join, Literal, Node, Program
from dam_expert.physics.hardware import Accelerator, Catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLDER_VARIABLE: Final = "DAM_CACHE"
OFF: Final = frozenset({"off", "0", "no", ""})

_MARK: Final = b"dam-base/2\n"
_NAME: Final = "base-{key}.msgpack"
_OURS: Final = re.compile(r"base-[0-9a-f]{32}\.msgpack")
"""What the names of kept bases are, and of nothing else: whatever lies beside them is somebody's."""
_LARGEST: Final = 64 * 1024 * 1024
_KEPT_FILES: Final = 4
"""How many bases are kept: those of other versions and checkouts, the newest of them."""
_MAKERS: Final = ("documents", "kb", "language", "physics")
"""The packages whose modules decide what a base is made into."""


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    """A base as it lies on disk: see :class:`dam_expert.kb.base.Base` for the meaning of the fields."""

    messages: list[Message]
    axes: dict[str, appendix_models.AxisModel]
    bottlenecks: dict[str, models.BottleneckModel]
    tools: dict[str, models.ToolModel]
    kinds: dict[str, models.KindModel]
    measurements: dict[str, parts.Measurement]
    derived_order: tuple[str, ...]
    thresholds: dict[str, parts.Threshold]
    symptoms: dict[str, models.SymptomModel]
    symptom_trees: dict[str, Tree]
    budgets: dict[str, parts.Budget]
    wholes: dict[str, parts.Whole]
    hypotheses: dict[str, parts.Hypothesis]
    levers: dict[str, parts.Lever]
    anti_patterns: dict[str, models.AntiPatternModel]
    rules: dict[str, parts.Rule]
    cases: dict[str, models.CaseModel]
    regions: dict[str, appendix_models.RegionModel]
    laws: dict[str, appendix_models.LawModel]
    scorecard: dict[str, parts.ScorecardRow]
    facts: dict[str, appendix_models.FactModel]
    entry_points: dict[str, models.EntryPointModel]
    places: dict[str, str]
    fingerprint: str
    old_ids: dict[str, str]
    nodes: tuple[Node, ...]
    compiled_symptoms: dict[str, Literal]
    compiled_rules: tuple[CompiledRule, ...]
    roles: dict[str, Role]
    aliases: dict[str, str]
    accelerators: tuple[Accelerator, ...]
    refused: dict[str, str]


_ENTRIES: Final = (
    *("axes", "bottlenecks", "tools", "kinds", "measurements", "thresholds", "symptoms", "budgets", "wholes"),
    *(
        "hypotheses",
        "levers",
        "anti_patterns",
        "rules",
        "cases",
        "regions",
        "laws",
        "scorecard",
        "facts",
        "entry_points",
    ),
)
"""The fields that hold entries by id: each entry has its place, and nothing else has one."""

_SAME: Final = tuple(name for name in _Stored.__struct_fields__ if name in parts.Base.__dataclass_fields__)


def key_of(home: list[Path], files: Sequence[Path] | None = None) -> str:
    """Return the hash of everything that a base is made of. Raises OSError where a file of it cannot be read.

    ``files`` are those of the folders where they have been looked for already.
    """
    digest = hashlib.sha256(f"{__version__} {msgspec.__version__}\n".encode())
    for path in loaded_files(home) if files is None else files:
        content = path.read_bytes()
        digest.update(f"{_shown(path, home)} {len(content)}\n".encode())
        digest.update(content)
    for line in _makers():
        digest.update(line.encode())
    return digest.hexdigest()[:32]


def kept(key: str) -> tuple[parts.Base, list[Message]] | None:
    """Return the base that was kept under a key, with its warnings; None where there is none that can be trusted."""
    folder = _folder()
    if folder is None or not _is_safe(folder):
        return None
    content = _content(folder / _NAME.format(key=key))
    start = len(_MARK) + hashlib.sha256().digest_size
    if content is None or not content.startswith(_MARK):
        return None
    named = key.encode()
    signed = memoryview(content)[start:]
    if hashlib.sha256(signed).digest() != content[len(_MARK) : start] or signed[: len(named)] != named:
        return None
    try:
        stored = msgspec.msgpack.decode(signed[len(named) :], type=_Stored)
        base = _restored(stored)
        return (base, stored.messages) if _fits(base) else None
    except (msgspec.MsgspecError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def keep(key: str, base: parts.Base, messages: Sequence[Message]) -> None:
    """Keep a base under a key, whole or not at all; where that cannot be, nothing happens."""
    from dam_expert.documents.files import put_private_file

    folder = _folder()
    if folder is None:
        return
    signed = key.encode() + msgspec.msgpack.encode(_stored(base, messages))
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_safe(folder):
            return
        put_private_file(folder / _NAME.format(key=key), _MARK + hashlib.sha256(signed).digest() + signed)
        _forget_old(folder)


def _folder() -> Path | None:
    """Return where bases are kept, or None where none are."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named is not None:
        return None if named.strip().lower() in OFF else Path(named)
    common = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (common if common.is_absolute() else Path.home() / ".cache") / "dam-expert"
    except RuntimeError:  # no home
        return None


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file or folder is ours, and nobody else may write it."""
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_safe(folder: Path) -> bool:
    """Whether a folder is one, not a link to one, and ours alone to write into."""
    try:
        found = folder.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(found.st_mode) and _is_ours(found)


def _content(path: Path) -> bytes | None:
    """Return the content of a kept file; None for one that is not there, or that others may have written."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError), os.fdopen(handle, "rb") as stream:
        found = os.fstat(handle)
        if stat.S_ISREG(found.st_mode) and _is_ours(found) and found.st_size <= _LARGEST:
            return stream.read(_LARGEST)
    return None


def _forget_old(folder: Path) -> None:
    """Remove all but the newest bases: plain files with a name of ours, whatever else lies there."""
    found: list[tuple[int, Path]] = []
    for name in os.listdir(folder):  # noqa: PTH208 - names alone are looked at
        if _OURS.fullmatch(name):
            status = (folder / name).lstat()
            if stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime_ns, folder / name))
    for _, path in sorted(found, reverse=True)[_KEPT_FILES:]:
        path.unlink(missing_ok=True)


def _makers() -> Iterator[str]:
    """Yield name, time and size of each module that a base is made by: a checkout changes under one version."""
    package = Path(__file__).resolve().parent.parent
    for name in _MAKERS:
        with os.scandir(package / name) as entries:
            modules = sorted((each.name, each.stat()) for each in entries if each.name.endswith(".py"))
        for module, found in modules:
            yield f"{name}/{module} {found.st_mtime_ns} {found.st_size}\n"


def _shown(path: Path, home: list[Path]) -> str:
    return next(str(path.relative_to(folder.parent)) for folder in home if path.is_relative_to(folder))


def _stored(base: parts.Base, messages: Sequence[Message]) -> _Stored:
    return _Stored(
        messages=list(messages),
        nodes=base.program.nodes,
        compiled_symptoms=dict(base.program.symptoms),
        compiled_rules=base.program.rules,
        roles=base.names.roles,
        aliases=base.names.aliases,
        accelerators=base.catalogue.accelerators,
        refused=dict(base.catalogue.refused),
        **{name: getattr(base, name) for name in _SAME},
    )


def _restored(stored: _Stored) -> parts.Base:
    return parts.Base(
        program=Program(nodes=stored.nodes, symptoms=stored.compiled_symptoms, rules=stored.compiled_rules),
        names=parts.BaseNames.of(
            stored.roles, stored.aliases, stored.measurements, stored.thresholds, stored.tools.values()
        ),
        catalogue=Catalogue(stored.accelerators, stored.refused),
        **{name: getattr(stored, name) for name in _SAME},
    )


def _fits(base: parts.Base) -> bool:
    """Whether the parts of a base belong together: every entry is there, and every literal has its node.

    What a base of checked files always fulfils; a file that somebody has put together by hand need not.
    """
    program = base.program
    count = len(program.nodes)
    literals = [*program.symptoms.values(), *(each for rule in program.rules for each in (rule.body, *rule.unless))]
    return (
        set().union(*(getattr(base, name) for name in _ENTRIES)) == set(base.places)
        and {rule.id for rule in program.rules} == set(base.rules)
        and set(program.symptoms) == set(base.symptoms) == set(base.symptom_trees)
        and all(base.thresholds[name].name.alternatives for name in parts.ENGINE_THRESHOLDS)
        and set(base.anti_patterns).issuperset(parts.ENGINE_ANTI_PATTERNS)
        and all(0 <= position < count for position, _ in literals)
        and all(_is_sound(node, position) for position, node in enumerate(program.nodes))
    )


def _is_sound(node: Node, position: int) -> bool:
    """Whether a node asks where it is a leaf, and else joins nodes that stand before it."""
    if (node.question is not None) is not (node.join is Join.LEAF):
        return False
    return not node.children or all(0 <= at < position for at, _ in node.children)
