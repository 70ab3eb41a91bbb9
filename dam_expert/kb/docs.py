"""Reference pages of a base: one for each rule, hypothesis and measurement, whose examples are the tests of the rules.

A page is a list of blocks, which are written as Markdown or as HTML; text from knowledge files is escaped in both.
"""

from __future__ import annotations

import dataclasses
import html
import re
from typing import TYPE_CHECKING, Any

import yaml

from dam_expert.kb.describe import Description, describe, entries
from dam_expert.kb.docs_blocks import Block
from dam_expert.kb.docs_hypothesis import blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.kb.base import Base

DOCUMENTED = ("rules", "hypotheses", "measurements")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|])")
_WIDTH = 100


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: its file name without ending, its title and its blocks."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def pages(base: Base) -> Iterator[Page]:
    """Yield the index, then a page for each rule, hypothesis and measurement."""
    yield _index(base)
    for section in DOCUMENTED:
        for name in entries(base, section):
            described = describe(base, name)
            if described is not None:
                yield _page(base, described)


def _index(base: Base) -> Page:
    blocks = []
    for section in DOCUMENTED:
        found = entries(base, section)
        blocks.append(Block(kind="heading", text=f"{section.capitalize()} ({len(found)})"))
        links = tuple((name, str(getattr(entry, "title", name))) for name, entry in found.items())
        blocks.append(Block(kind="links", links=links))
    return Page(name="index", title="Knowledge reference", blocks=tuple(blocks))


def _page(base: Base, described: Description) -> Page:
    data = described.data()
    layer = f"{described.section[:-1] if described.section != 'hypotheses' else 'hypothesis'} of {described.layer}"
    blocks = [Block(kind="text", text=f"{described.id}: {layer}, {described.place}")]
    for key in ("statement", "because", "question", "limits", "confirmed_by", "falsified_by"):
        if key in data:
            blocks += [
                Block(kind="heading", text=key.replace("_", " ").capitalize()),
                Block(kind="text", text=data[key]),
            ]
    if described.section == "hypotheses":
        blocks += blocks_of(base, described.id)
    tests = data.pop("tests", {})
    blocks += [Block(kind="heading", text="Definition"), Block(kind="code", text=_yaml(data))]
    for kind, facts in tests.items():
        blocks.append(Block(kind="heading", text=f"Examples: {kind.replace('_', ' ')}"))
        blocks.append(Block(kind="code", text="".join(_yaml(each, flow=True) for each in facts)))
    for runbook, change in described.changes:
        if change.verb != "add":
            blocks.append(Block(kind="text", text=f"Changed by {runbook}: {change}"))
    if described.used_by:
        titled = tuple((name, _title(base, name)) for name in described.used_by)
        blocks += [Block(kind="heading", text="Used by"), Block(kind="links", links=titled)]
    return Page(name=described.id, title=data.get("title", described.id), blocks=tuple(blocks))


def _title(base: Base, name: str) -> str:
    found = describe(base, name)
    return name if found is None else str(getattr(found.entry, "title", name))


def _yaml(data: Any, *, flow: bool = False) -> str:  # noqa: ANN401
    text: str = yaml.dump(
        data,
        Dumper=yaml.CSafeDumper,
        sort_keys=False,
        allow_unicode=True,
        width=10_000 if flow else _WIDTH,
        default_flow_style=flow,
    )
    return text


def to_markdown(page: Page, documented: Sequence[str]) -> str:
    """Write a page as Markdown; ``documented`` are the pages that links can lead to."""
    parts = [f"# {_plain(page.title)}\n"]
    for block in page.blocks:
        if block.kind == "heading":
            parts.append(f"## {_plain(block.text)}\n")
        elif block.kind == "code":
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", block.text)), default=0))
            parts.append(f"{fence}{block.language}\n{block.text}{fence}\n")
        elif block.kind == "links":
            rows = [
                f"- [{_plain(name)}]({name}.md): {_plain(title)}"
                if name in documented
                else f"- {_plain(name if title == name else f'{name}: {title}')}"
                for name, title in block.links
            ]
            parts.append("\n".join(rows) + "\n")
        else:
            parts.append(f"{_plain(block.text)}\n")
    return "\n".join(parts)


def to_html(page: Page, documented: Sequence[str]) -> str:
    """Write a page as HTML that loads nothing."""
    parts = [
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{html.escape(page.title)}</title>\n'
        "<style>body{max-width:50em;margin:2em auto;padding:0 1em;font-family:sans-serif;line-height:1.5}"
        "pre{background:#8882;padding:1em;overflow:auto}:root{color-scheme:light dark}</style>\n"
        f"<h1>{html.escape(page.title)}</h1>"
    ]
    for block in page.blocks:
        text = html.escape(block.text)
        if block.kind == "heading":
            parts.append(f"<h2>{text}</h2>")
        elif block.kind == "code":
            parts.append(f"<pre><code>{text}</code></pre>")
        elif block.kind == "links":
            rows = [
                f'<li><a href="{html.escape(name)}.html">{html.escape(name)}</a>: {html.escape(title)}</li>'
                if name in documented
                else f"<li>{html.escape(name if title == name else f'{name}: {title}')}</li>"
                for name, title in block.links
            ]
            parts.append(f"<ul>{''.join(rows)}</ul>")
        else:
            parts.append(f"<p>{text}</p>")
    return "\n".join(parts) + "\n"


def _plain(text: str) -> str:
    r"""Escape a text for Markdown.

    >>> _plain("a_b <x>")
    'a\\_b \\<x\\>'
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
