"""The sentences that a part of the program can say of its inputs, found in its source: no list is kept of them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: What stands for a value that is filled in.
FILLED: Final = "X"
#: Calls whose texts are compared with an input, not said.
_COMPARED: Final = frozenset(
    {"compile", "search", "match", "fullmatch", "sub", "split", "findall", "finditer", "startswith", "endswith"}
    | {"partition", "rpartition", "find", "index", "count", "get", "execute", "startwith", "removeprefix", "strip"}
    | {"removesuffix", "replace", "column", "any_of", "cast", "TypeAliasType"}
)
#: Fields of a reader that name its tool: names are the same in all languages.
_NAMES: Final = frozenset({"title", "versions", "tool"})


def sentences(path: Path) -> Iterator[str]:
    """Yield every text of a module that holds at least three words and is said, not compared, by its parts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = {id(inner) for node in ast.walk(tree) for part in _unsaid(node) for inner in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        for part in _text(node).split("; "):
            if _is_sentence(part):
                yield part


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else FILLED for part in node.values)
    return ""


def _is_sentence(text: str) -> bool:
    words = re.findall(r"(?<![\w-])[a-z]+(?![\w-])", text)
    return len(words) >= 2 and " " in text and not re.search(r"\\[bswdn.]|\(\?|\n|[{}|*^<>]", text)


def _unsaid(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a node and is never said: docstrings, patterns, keys, names, types."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        yield from (each for each in node.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.Call):
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        yield from node.args if name in _COMPARED else ()
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    if isinstance(node, ast.Dict):
        yield from (key for key in node.keys if key is not None)
    if isinstance(node, ast.Subscript):
        yield node.slice
    if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
        yield node.annotation
    if isinstance(node, ast.FunctionDef) and node.returns is not None:
        yield node.returns
    if isinstance(node, ast.AnnAssign | ast.Assign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(each, ast.Name) and each.id in _NAMES for each in targets) and node.value is not None:
            yield node.value
