"""The way back past the opening of a session: what each of the last answers changed in the document, kept in it.

A step back is a patch that turns the document into the one before. It holds only what the older one had and the newer
one has not, so that reading a tool's whole output costs no more to remember than a word.

>>> step = patch({"a": [1, 2, 9], "b": 1}, {"a": [1, 2, 3]})
>>> patched({"a": [1, 2, 9], "b": 1}, step)
{'a': [1, 2, 3]}
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.incident import canonical, incident_from
from dam_expert.documents.messages import has_errors
from dam_expert.documents.observations import Origin
from dam_expert.session.state import State, resumed, saved_extras

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.kb.base import Base

#: So many steps can be taken back after a session was closed and opened again.
KEPT_STEPS: Final = 30

#: The fields of a state that are kept on disk.
_PARTS: Final = tuple(
    field.name for field in dataclasses.fields(State) if field.name not in ("past", "earlier", "why_level")
)
_MADE: Final[dict[tuple[object, ...], tuple[tuple[object, ...], Any]]] = {}

_VALUE, _MAP, _LIST = "value", "map", "list"


def before(base: Base, state: State) -> State | None:
    """Return the state before the last change, also of an earlier sitting; None where nothing is remembered."""
    if state.past:
        return dataclasses.replace(state.past[-1], past=state.past[:-1], earlier=state.earlier)
    if not state.earlier:
        return None
    try:
        document = patched(_document(base, state), json.loads(state.earlier[-1]))
        incident, problems = incident_from(document, base.names, lambda _: Origin(file=state.incident.file))
    except (ValueError, TypeError, LookupError):
        return None  # somebody edited the file meanwhile
    return None if has_errors(problems) else dataclasses.replace(resumed(incident), earlier=state.earlier[:-1])


def steps(base: Base, state: State) -> tuple[str, ...]:
    """Return the way back of a state as it is kept in its document, the latest step last."""
    line = [*state.past, dataclasses.replace(state, past=())]
    made = tuple(_step(base, newer, older) for older, newer in itertools.pairwise(line[-KEPT_STEPS - 1 :]))
    return (*state.earlier, *made)[-KEPT_STEPS:]


def _step(base: Base, newer: State, older: State) -> str:
    """Return the step from a state back to an older one; made once for each pair."""
    made: str = _remembered("step", base, (newer, older), lambda: _made(base, newer, older))
    return made


def _made(base: Base, newer: State, older: State) -> str:
    step = patch(_document(base, newer), _document(base, older))
    return json.dumps(step, ensure_ascii=False, separators=(",", ":"))


def _document(base: Base, state: State) -> dict[str, Any]:
    """Return the document of a state without its own way back; it is not to be changed."""
    document: dict[str, Any] = _remembered("document", base, (state,), lambda: _written(base, state))
    return document


def _written(base: Base, state: State) -> dict[str, Any]:
    incident = dataclasses.replace(state.incident, extras=saved_extras(state.kept()))
    document: dict[str, Any] = json.loads(json.dumps(canonical(incident, base.names)))
    return document


def _remembered(what: str, base: Base, states: tuple[State, ...], make: Callable[[], Any]) -> Any:  # noqa: ANN401
    """Return what was made of some states, or make it. They are told by their parts: comparing values costs more."""
    parts = (base, *(getattr(state, name) for state in states for name in _PARTS))
    key = (what, *map(id, parts))
    found = _MADE.get(key)
    if found is None:
        found = _MADE[key] = (parts, make())  # the parts are held, so that no other value gets the id of one
        while len(_MADE) > 3 * KEPT_STEPS:
            del _MADE[next(iter(_MADE))]
    return found[1]


def patch(newer: Any, older: Any) -> Any:  # noqa: ANN401  (plain data)
    """Return what turns plain data into other plain data; None where they are equal."""
    if newer == older:
        return None
    if isinstance(newer, dict) and isinstance(older, dict):
        gone = sorted(newer.keys() - older.keys())
        changed = {key: step for key in older if (step := _entry(newer, older, key)) is not None}
        stays = [key for key in newer if key in older]
        order = {} if [*stays, *(key for key in changed if key not in newer)] == list(older) else {"order": list(older)}
        return {_MAP: changed, "gone": gone, **order}
    if isinstance(newer, list) and isinstance(older, list):
        shorter = min(len(newer), len(older))
        head = next((place for place in range(shorter) if newer[place] != older[place]), shorter)
        tail = next((n for n in range(shorter - head) if newer[-1 - n] != older[-1 - n]), shorter - head)
        return {_LIST: [head, tail, older[head : len(older) - tail]]}
    return {_VALUE: older}


def _entry(newer: dict[str, Any], older: dict[str, Any], key: str) -> Any:  # noqa: ANN401
    return patch(newer[key], older[key]) if key in newer else {_VALUE: older[key]}


def patched(newer: Any, step: Any) -> Any:  # noqa: ANN401
    """Return the data that a patch leads to. Raises LookupError or TypeError for a patch that is not of this data."""
    if step is None:
        return newer
    if _VALUE in step:
        return step[_VALUE]
    if _LIST in step:
        head, tail, middle = step[_LIST]
        return [*newer[:head], *middle, *newer[len(newer) - tail :]]
    kept = {key: value for key, value in newer.items() if key not in step["gone"]}
    changed = {key: patched(newer.get(key), one) for key, one in step[_MAP].items()}
    both = kept | changed
    return {key: both[key] for key in step.get("order", both)}
