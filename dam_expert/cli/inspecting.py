"""The way to what stands in a base: entries and layers, reference pages, differences, locks, formatting."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.output import write_file
from dam_expert.documents.files import open_file
from dam_expert.documents.messages import Level, Message, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.engine.moved import Move
    from dam_expert.kb.base import Base
    from dam_expert.kb.describe import Description
    from dam_expert.kb.diff import Difference

SHIPPED = "base"


def described(base: Base, name: str) -> Description:
    """Return what there is to say of an id. Raises UsageError for an unknown one, with the nearest."""
    from dam_expert.kb.describe import KINDS, describe, known_ids

    found = describe(base, name)
    if found is None:
        hint = suggestion(name, (*KINDS, *known_ids(base))) or f"kinds are {', '.join(KINDS)}"
        raise click.UsageError(f"nothing is called '{name}'; {hint}")
    return found


def description_data(found: Description) -> dict[str, Any]:
    """Return a description as plain data."""
    return {
        "id": found.id,
        "kind": found.section,
        "layer": found.layer,
        "place": found.place,
        "changes": [{"runbook": book, "change": str(change)} for book, change in found.changes],
        "used_by": list(found.used_by),
        "entry": found.data(),
    }


def description_lines(found: Description) -> Iterator[str]:
    """Yield a description in lines; the entry as it would stand in a file."""
    import yaml

    yield f"# {found.section} of {found.layer}, {found.place}"
    for book, change in found.changes:
        yield f"# {book}: {change}"
    if found.used_by:
        yield f"# used by {', '.join(found.used_by)}"
    text: str = yaml.safe_dump(found.data(), sort_keys=False, allow_unicode=True, width=100)
    yield from text.splitlines()


def layers_data(base: Base) -> dict[str, Any]:
    """Return what is in force, by which layer."""
    return {
        "knowledge": base.fingerprint,
        "runbooks": [
            {
                "name": book.name,
                "version": book.version,
                "content": book.digest,
                "folder": book.folder,
                "found_by": book.found_by,
                "changes": [str(change) for change in book.changes],
            }
            for book in base.layers.runbooks
        ],
    }


def layers_lines(base: Base) -> Iterator[str]:
    """Yield what is in force, the shipped base first."""
    from dam_expert.kb.describe import KINDS, entries

    counted = ", ".join(f"{len(entries(base, kind))} {kind.replace('_', ' ')}" for kind in KINDS)
    yield f"base {base.fingerprint}; in force: {counted}"
    for book in base.layers.runbooks:
        yield f"runbook {book.summary()}, {book.folder}, by {book.found_by}"
        for change in book.changes:
            yield f"  {change}"
            if change.eases:
                yield f"    eases: {change.eases}"


def kind_rows(base: Base, kind: str) -> list[dict[str, str]]:
    """Return id, title and layer of all entries of one kind."""
    from dam_expert.kb.describe import entries, layer_of

    return [
        {"id": name, "title": str(getattr(entry, "title", "")), "layer": layer_of(base, name)}
        for name, entry in entries(base, kind).items()
    ]


def write_docs(base: Base, folder: Path, form: str) -> int:
    """Write the reference pages into a folder and return how many. Raises Failure where it cannot."""
    from dam_expert.kb.docs import pages, to_html, to_markdown

    made = list(pages(base))
    names = [page.name for page in made]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for page in made:
            text = to_html(page, names) if form == "html" else to_markdown(page, names)
            ending = "html" if form == "html" else "md"
            write_file(folder / f"{page.name}.{ending}", text.encode())
    except OSError as error:
        raise Failure(Exit.USAGE, f"cannot write {folder}: {error.strerror or error}") from error
    return len(made)


def base_of(given: str) -> Base:
    """Return ``base``, the base under one runbook, or that of a folder with knowledge and rules. Raises Failure."""
    from dam_expert.kb.layers import Source
    from dam_expert.kb.load import load_knowledge
    from dam_expert.kb.overlay_files import HEADER
    from dam_expert.kb.overlay_find import shown

    folder = Path(given)
    inner = [folder / name for name in ("knowledge", "rules") if (folder / name).is_dir()]
    if given == SHIPPED and not folder.exists():
        base, messages = load_knowledge()
    elif (folder / HEADER).is_file():
        source = Source(folder=folder, shown=shown(folder), found_by="dam kb diff")
        base, messages = load_knowledge(runbooks=(source,))
    elif inner:
        base, messages = load_knowledge(inner)
    else:
        raise click.UsageError(f"'{given}' is neither 'base', nor a runbook, nor a folder with knowledge/ and rules/")
    if base is None:
        errors = [message for message in messages if message.level is Level.ERROR]
        raise Failure(Exit.INVALID, f"{given} cannot be used", errors)
    return base


def compare(old: Base, new: Base, paths: Sequence[str]) -> tuple[list[Difference], list[Move]]:
    """Return what changed in knowledge, and every incident with its verdict before and after.

    Without paths the cases that both bases have are diagnosed, at each of their stages.
    """
    from dam_expert.engine.cases import stages_of
    from dam_expert.engine.moved import Move, verdict_of
    from dam_expert.kb.diff import differences

    moves = []
    for path in paths:
        before, after = (
            verdict_of(base, pipeline.understand(base, (path,), (), no_input=True).incident) for base in (old, new)
        )
        moves.append(Move(incident=path, before=before, after=after))
    for name in [] if paths else [name for name in old.cases if name in new.cases]:
        pairs = zip(stages_of(old, old.cases[name]), stages_of(new, new.cases[name]), strict=False)
        for number, ((first, _), (second, _)) in enumerate(pairs, 1):
            before, after = verdict_of(old, first), verdict_of(new, second)
            moves.append(Move(incident=f"{name} stage {number}", before=before, after=after))
    return differences(old, new), moves


def checked_lock(base: Base, path: Path) -> list[Message]:
    """Return what differs from a lock file. Raises Failure where it cannot be read."""
    from dam_expert.kb.lock import compared

    try:
        with open_file(path) as stream:
            content = stream.read()
    except OSError as error:
        raise Failure(Exit.USAGE, f"cannot read {path}: {error.strerror or error}") from error
    return list(compared(content, base, str(path)))


def format_files(paths: Sequence[str], *, write: bool) -> tuple[list[str], list[Message]]:
    """Format YAML files, those of folders included; return those that change, and what could not be formatted."""
    from dam_expert.kb.fmt import formatted

    changed: list[str] = []
    messages: list[Message] = []
    for path in _yaml_files(paths):
        try:
            text, found = formatted(path, str(path))
        except ImportError as error:
            raise Failure(Exit.USAGE, "formatting needs ruamel.yaml: pip install 'dam-expert[author]'") from error
        messages += found
        if text is None or text.encode() == path.read_bytes():
            continue
        changed.append(str(path))
        if write:
            write_file(path, text.encode())
    return changed, messages


def _yaml_files(paths: Sequence[str]) -> Iterator[Path]:
    for given in paths:
        path = Path(given)
        if path.is_dir():
            yield from (each for each in sorted(path.rglob("*")) if each.suffix in {".yaml", ".yml"})
        elif path.is_file():
            yield path
        else:
            raise click.UsageError(f"there is no file or folder '{given}'")
