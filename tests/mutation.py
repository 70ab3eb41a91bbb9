"""Mistakes put into one module, one at a time, and whether its tests notice.

    PYTHONPATH=tests:. python tests/mutation.py dam_expert/engine/verdict.py tests/engine/test_verdict.py [--every 3]
    PYTHONPATH=tests:. python tests/mutation.py dam_expert/engine/claims.py --take 8  # tests: mutation_tests.yaml

Comparisons and boolean operators are reversed, sums and products exchanged, ``not`` dropped, numbers and truths moved,
min and max exchanged. A strict comparison in the place of one that is not does not count. Each mutant runs in a child
of this process, which has imported everything but the package, until the first test fails. Survivors are printed with
their line, and so are those whose tests did not come to an end.
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
import tempfile
import time

LONGER = 10
"""A mutant that takes so many times as long as the module itself goes on for ever, which its tests would notice."""

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


class _Repeatable:
    """Has hypothesis draw the same examples each time, and look for no smaller one that fails; bases are made once."""

    def __init__(self, bases: str | None) -> None:
        self.bases = bases

    def pytest_configure(self):
        import hypothesis

        if self.bases:
            os.environ["DAM_CACHE"] = self.bases

        once = hypothesis.settings(derandomize=True, database=None, phases=[hypothesis.Phase.generate])
        hypothesis.settings.register_profile("mutation", once)
        hypothesis.settings.load_profile("mutation")


def failing(name: str, path: pathlib.Path, tree: ast.Module, tests: list[str], seconds: int) -> str | None:
    """Run tests over a module in a child; say how they ended, None where none failed."""
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        sys.meta_path.insert(0, _Finder(name, path, tree))
        code = 1
        bases = None if ".language." in name else str(pathlib.Path(tempfile.gettempdir(), "bases"))
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                import pytest

                code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests], plugins=[_Repeatable(bases)])
        finally:
            os._exit(0 if code == 0 else 1)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return "without end" if os.WTERMSIG(status) == signal.SIGALRM else "killed"
    return "noticed" if status else None


def sample(found: list[tuple[int, int]], every: int, take: int | None) -> list[tuple[int, int]]:
    """Return one in so many mistakes, or so many at equal distances; the same ones each time."""
    if take is None or take >= len(found):
        return found[::every]
    return [found[index * len(found) // take] for index in range(take)]


def groups_of(module: pathlib.Path) -> list[list[str]]:
    """Return the tests that a module has in ``mutation_tests.yaml``, its own first, then those of its callers."""
    import yaml

    told = yaml.safe_load(pathlib.Path(__file__).with_name("mutation_tests.yaml").read_text(encoding="utf-8"))
    own = [f"tests/{'/'.join(module.parts[1:-1])}/test_{module.stem.lstrip('_')}.py"]
    named = told["modules"].get(module.as_posix(), ["other", "engine"])
    groups = [told["groups"].get(each, [each]) for each in named]
    return [own, *groups] if pathlib.Path(own[0]).exists() and own not in groups else groups


def main() -> int:
    """Make the mistakes, and print those that no test notices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="modules, and tests if not those of the table")
    parser.add_argument("--every", type=int, default=1, help="take one in so many")
    parser.add_argument("--take", type=int, help="take so many of each module, at equal distances")
    given = parser.parse_args()
    tests = [str(path) for path in given.paths if path.parts[0] == "tests"]
    for heavy in ("numpy", "pydantic", "yaml", "click", "msgspec"):
        with contextlib.suppress(ImportError):
            importlib.import_module(heavy)
    bounds: dict[tuple[str, ...], int] = {}
    with tempfile.TemporaryDirectory(prefix="dam-mutation-") as folder:
        tempfile.tempdir = folder
        for module in (path for path in given.paths if path.parts[0] != "tests"):
            try_mistakes(module, [tests] if tests else groups_of(module), bounds, given)
    return 0


def try_mistakes(
    module: pathlib.Path, groups: list[list[str]], bounds: dict[tuple[str, ...], int], given: argparse.Namespace
) -> None:
    """Make mistakes in a module, and print those that no group of tests notices, and how many there were.

    What each group may take is measured once, without a mistake, and kept in ``bounds``.
    """
    name = ".".join(module.with_suffix("").parts)
    tree = ast.parse(module.read_text(encoding="utf-8"))

    def end_of(changed: ast.Module) -> str | None:
        for tests in groups:
            if tuple(tests) not in bounds:
                before = time.monotonic()
                assert failing(name, module, tree, tests, 3600) is None, f"without any mistake one fails: {tests}"
                bounds[tuple(tests)] = LONGER * (int(time.monotonic() - before) + 6)
            if end := failing(name, module, changed, tests, bounds[tuple(tests)]):
                return end
        return None

    found = changes(tree)
    noticed = tried = 0
    for change in sample(found, given.every, given.take):
        changed, node = mutant(tree, change)
        tried += 1
        end = end_of(changed)
        noticed += end is not None
        if end != "noticed":
            print(f"{module}:{getattr(node, 'lineno', '?')}: {ast.unparse(node)} ({end or 'survives'})", flush=True)
    print(f"{module}: {noticed} of {tried} mistakes noticed, of {len(found)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
