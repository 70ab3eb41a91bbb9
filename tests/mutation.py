"""Mistakes put into one module, one at a time, and whether its tests notice.

    PYTHONPATH=tests:. python tests/mutation.py dam_expert/engine/verdict.py tests/engine/test_verdict.py [--every 3]

Comparisons and boolean operators are reversed, sums and products exchanged, ``not`` dropped, numbers and truths moved,
min and max exchanged. A strict comparison in the place of one that is not does not count. Each mutant runs in a child
of this process, which has imported everything but the package. Survivors are printed with their line.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import signal
import sys

SECONDS = 120
"""A mutant that runs longer goes on for ever, which its tests would notice."""

_COMPARED = {ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_COMPARED |= {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_JOINED = {ast.And: ast.Or, ast.Or: ast.And}
_COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
_CHOSEN = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changes(tree: ast.Module) -> list[tuple[int, int]]:
    """Return every mistake that can be made: the number of its node in the walk, and of the operator in it."""
    found = []
    decorated = [each for node in ast.walk(tree) for each in getattr(node, "decorator_list", ())]
    passed_over = {id(inner) for each in decorated for inner in ast.walk(each)}  # frozen or not is nobody's behaviour
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in passed_over:
            continue
        if isinstance(node, ast.Compare):
            found += [(number, place) for place, each in enumerate(node.ops) if type(each) in _COMPARED]
        elif _mistaken(copy.deepcopy(node), 0) is not None:
            found.append((number, 0))
    return found


def _mistaken(node: ast.AST, place: int) -> ast.AST | None:
    """Make a mistake in a node; return it, or None where there is none to make."""
    if isinstance(node, ast.Compare):
        node.ops[place] = _COMPARED[type(node.ops[place])]()
    elif isinstance(node, ast.BoolOp):
        node.op = _JOINED[type(node.op)]()
    elif isinstance(node, ast.BinOp) and type(node.op) in _COUNTED and not isinstance(node.left, ast.Constant):
        node.op = _COUNTED[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CHOSEN:
        node.func.id = _CHOSEN[node.func.id]
    else:
        return None
    return node


def mutant(tree: ast.Module, change: tuple[int, int]) -> tuple[ast.Module, ast.AST]:
    """Return the module with one mistake, and the node that has it."""
    changed = copy.deepcopy(tree)
    node = next(each for number, each in enumerate(ast.walk(changed)) if number == change[0])
    _mistaken(node, change[1])
    return ast.fix_missing_locations(changed), node


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module another content."""

    def __init__(self, name: str, path: pathlib.Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name, path, target=None):
        return importlib.util.spec_from_loader(name, self, origin=str(self.path)) if name == self.name else None

    def exec_module(self, module):
        module.__file__ = str(self.path)
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)


def is_noticed(name: str, path: pathlib.Path, tree: ast.Module, tests: list[str]) -> bool:
    """Run the tests over a module in a child; True where one of them fails, or nothing comes to an end."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        sys.meta_path.insert(0, _Finder(name, path, tree))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            import pytest

            code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests])
        os._exit(0 if code == 0 else 1)
    return os.waitpid(child, 0)[1] != 0


def main() -> int:
    """Make the mistakes, and print those that no test notices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", type=pathlib.Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="take one in so many")
    given = parser.parse_args()
    for heavy in ("numpy", "pydantic", "yaml", "click", "msgspec"):
        with contextlib.suppress(ImportError):
            importlib.import_module(heavy)
    name = ".".join(given.module.with_suffix("").parts)
    tree = ast.parse(given.module.read_text(encoding="utf-8"))
    assert not is_noticed(name, given.module, tree, given.tests), "the tests fail without any mistake"
    noticed = tried = 0
    for change in changes(tree)[:: given.every]:
        changed, node = mutant(tree, change)
        tried += 1
        if is_noticed(name, given.module, changed, given.tests):
            noticed += 1
        else:
            print(f"{given.module}:{getattr(node, 'lineno', '?')}: {ast.unparse(node)}", flush=True)
    print(f"{given.module}: {noticed} of {tried} mistakes noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
