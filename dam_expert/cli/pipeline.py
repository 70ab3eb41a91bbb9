"""The way from paths to a diagnosis, for the commands: every call below the command line is made here.

All imports of the lower layers are inside the functions, so that ``dam --help`` does not pay for them.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from dam_expert.cli import inputs
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.messages import Level, Message, has_errors, suggestion
from dam_expert.documents.vocabulary import HOSTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.documents.redacting import Redactor
    from dam_expert.engine.course import Moment
    from dam_expert.kb.base import Base
    from dam_expert.prose import Understanding
    from dam_expert.readers.interface import Reading
    from dam_expert.readers.source import Source
    from dam_expert.reports import Glossary

_STDIN: Final = "-"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """The incident made of all inputs, and what was said of them on the way."""

    incident: Incident
    messages: tuple[Message, ...]
    readings: tuple[Reading, ...] = ()
    reports: tuple[Understanding, ...] = ()
    """Reports in prose, as they were understood."""


def load_base(runbooks: Sequence[str] = ()) -> Base:
    """Load the base with all runbooks in force; its warnings are for ``dam kb check``.

    ``runbooks`` are the folders of ``--runbook``. Raises Failure with the errors if there are any.
    """
    base, messages = loaded(runbooks)
    if base is None:
        errors = [message for message in messages if message.level is Level.ERROR]
        raise Failure(Exit.INVALID, "the knowledge base cannot be used", errors)
    return base


def runbooks_are_in_force(runbooks: Sequence[str] = ()) -> bool:
    """Tell whether any runbook is: those of ``--runbook``, of ``dam.toml``, or of installed packages."""
    from dam_expert.kb.overlay_find import runbooks_in_force

    found, problems = runbooks_in_force(runbooks, Path.cwd())
    return bool(found.sources or problems)


def loaded(runbooks: Sequence[str] = ()) -> tuple[Base | None, list[Message]]:
    """Load base and runbooks; an installation that lacks the base is a message like any other."""
    from dam_expert.kb.load import load_knowledge
    from dam_expert.kb.overlay_find import runbooks_in_force

    found, problems = runbooks_in_force(runbooks, Path.cwd())
    try:
        base, messages = load_knowledge(runbooks=found.sources, order=found.order)
    except FileNotFoundError as error:
        return None, [Message(file="dam_expert", level=Level.ERROR, text=str(error), code="base-missing")]
    return (None if problems else base), [*problems, *messages]


def understand(
    base: Base,
    paths: Sequence[str],
    settings: Sequence[tuple[str, str]],
    *,
    no_input: bool = False,
    empty: bool = False,
) -> Understood:
    """Read all paths as one incident. Raises Failure if nothing in them can be used.

    ``empty``: an incident that states nothing yet will do, as at the beginning of a session.
    ``settings`` are values of ``--set``, which take the place of any other value of the same measurement; an unknown
    measurement or a value that cannot be one is a usage error.
    """
    from dam_expert.cli.progress import shown
    from dam_expert.prose import is_report, joined_with, said_of
    from dam_expert.readers.declared import declared_readers
    from dam_expert.readers.gather import gather

    if _STDIN in paths and no_input and sys.stdin.isatty():
        raise click.UsageError("- would wait for the keyboard, which --no-input forbids")
    added = [_reported(base, name, value) for name, value in settings]
    declared = declared_readers(base.layers.tools, base.measurements)
    with shown() as watch:
        gathered = gather(
            ["-" if path == _STDIN else Path(path) for path in paths], also=declared, watch=watch, is_report=is_report
        )
    given = {str(Path(path)) for path in paths}
    inputs.note_used(each for each in gathered.files if str(each) in given or str(each) not in gathered.unread)
    incident, problems = _stated(base, gathered.incident_files, paths)
    reports = _written(base, gathered.reports)
    incident = joined_with(incident, reports)
    messages = (*gathered.messages, *problems, *(message for each in reports for message in said_of(each)))
    if has_errors(messages):
        inputs.note_faulty()
    stated = {observation.measurement for observation in added}
    others = (*incident.observations, *gathered.observations)
    kept = tuple(observation for observation in others if observation.measurement not in stated)
    whole = dataclasses.replace(incident, observations=tuple(_complained(base, each) for each in (*kept, *added)))
    something = whole.observations or whole.settings or whole.target or whole.planned or whole.tried
    if not something and not empty:
        text = f"nothing in {_listed(paths)} can be used; 'dam doctor' lists the outputs that are read"
        if len(paths) == len(gathered.incident_files) == 1 and not has_errors(messages):
            text = _unanswered(paths[0])
        raise Failure(Exit.INVALID, text, messages)
    readings = (*gathered.readings, *(reading for each in reports for reading in each.readings))
    return Understood(incident=whole, messages=messages, readings=readings, reports=reports)


def _unanswered(path: str) -> str:
    """Return what is said of an incident that states nothing: a session that ended before its first answer."""
    from dam_expert.cli.telling import language
    from dam_expert.reports.wording import language_named, load_wording

    wording = load_wording(language_named(language()))
    return wording.phrases["session.unanswered"].replace("{path}", path)


def _written(base: Base, sources: Sequence[Source]) -> tuple[Understanding, ...]:
    """Return the reports in prose as they are understood; the vocabulary is loaded only where there are any."""
    if not sources:
        return ()
    from dam_expert.prose import load_vocabulary, read_report

    vocabulary, _ = load_vocabulary(base)  # its problems are for 'dam kb check'
    return tuple(read_report(source, vocabulary) for source in sources)


def _complained(base: Base, observation: Observation) -> Observation:
    """Return an observation with the reason why its value cannot be one of its measurement, where there is one."""
    from dam_expert.engine.columns import possible_value

    measurement = base.measurements.get(observation.measurement)
    if measurement is None or observation.complaint is not None:
        return observation
    _, reason = possible_value(measurement, observation.value)
    return observation if reason is None else dataclasses.replace(observation, complaint=reason)


def _listed(paths: Sequence[str], most: int = 3) -> str:
    more = len(paths) - most
    return ", ".join(paths[:most]) + (f" and {more} more" if more > 0 else "")


def _stated(base: Base, files: Sequence[Path], paths: Sequence[str]) -> tuple[Incident, list[Message]]:
    """Read the incident file, if there is one; else return an incident that states nothing."""
    from dam_expert.documents.incident import Incident, incident_from
    from dam_expert.kb.source import read_yaml

    nothing = Incident(id="incident", file=paths[0] if paths else "")
    if not files:
        return nothing, []
    if len(files) > 1:
        others = _listed([str(file) for file in files[1:]])
        text = f"there are {len(files)} incident files, but one call is one incident; also {others}"
        hint = "diagnose them one by one"
        message = Message(file=str(files[0]), level=Level.ERROR, text=text, hint=hint, code="two-incidents")
        raise Failure(Exit.INVALID, "", [message])
    document, problems = read_yaml(files[0], first_counts=False)
    if document is None:
        return nothing, problems
    incident, found = incident_from(
        document.data, base.names, document.origin, place_of=lambda path, key: document.place(path, key=key)
    )
    return incident, [*problems, *found]


def _reported(base: Base, name: str, given: str) -> Observation:
    """Return the observation of one ``--set``. Raises UsageError where it cannot be one."""
    from dam_expert.cli.amounts import mind_seconds
    from dam_expert.documents.answering import value_of
    from dam_expert.documents.observations import Observation, Origin
    from dam_expert.documents.quantities import QuantityError

    measurement = base.names.resolve(name)
    if measurement is None:
        hint = suggestion(name, base.names.known_ids())
        raise click.UsageError(f"--set: no measurement is called '{name}'" + (f"; {hint}" if hint else ""))
    try:
        value, basis = value_of(given, measurement, base.names)
    except QuantityError as error:
        raise click.UsageError(f"--set {name}: {error.text}" + (f"; {error.hint}" if error.hint else "")) from error
    if base.measurements[measurement].model.unit == "s":
        mind_seconds(f"--set {name}", given)
    return Observation(measurement=measurement, value=value, origin=Origin(file="--set"), basis=basis, given=given)


def diagnose(base: Base, understood: Understood) -> Diagnosis:
    """Infer what binds; what was not read is listed in the diagnosis."""
    from dam_expert.engine.diagnose import diagnose as infer

    return infer(base, understood.incident, messages=understood.messages)


def course(base: Base, understood: Understood) -> list[Moment]:
    """Return how the causes rose and fell, where the incident is a saved session; else nothing."""
    from dam_expert.engine.course import course_of
    from dam_expert.session.state import resumed

    return course_of(base, understood.incident) if resumed(understood.incident).turns else []


def measuring_script(base: Base, diagnosis: Diagnosis, language: str, paths: Sequence[str]) -> str:
    """Return the next measurements as a shell script whose last line gives what it measured beside ``paths``."""
    import shlex

    from dam_expert.session.script import script

    probes = {name for name, measurement in base.measurements.items() if measurement.model.decides == "probe"}
    read = {told.tool for told in diagnosis.observations}
    first = [
        (name, tool.first_minute)
        for name, tool in base.tools.items()
        if tool.first_minute is not None and name not in read  # what was read need not be run again
    ]
    return script(diagnosis, glossary(base, language), " ".join(map(shlex.quote, paths)), probes, first)


def glossary(base: Base, language: str = "en") -> Glossary:
    """Return what reports need to know of the base, in one of the three languages."""
    from dam_expert.reports import glossary_of
    from dam_expert.reports.wording import language_named

    return glossary_of(base, language_named(language), texts(base, language))


def texts(base: Base, language: str) -> Mapping[str, str]:
    """Return the texts of the base in one of the three languages by their English original; none for English."""
    from dam_expert.kb.texts import load_texts

    return {} if language == "en" else load_texts(base, language)[0].by_original


def report_faults() -> list[str]:
    """Return what keeps reports from being written: files of the program that are missing or damaged."""
    from dam_expert.documents.installation import InstallationError
    from dam_expert.reports.html import check_files
    from dam_expert.reports.wording import wording_faults

    faults = list(wording_faults())
    try:
        check_files()
    except InstallationError as error:
        faults.append(str(error))
    return faults


def observation_lines(base: Base, understood: Understood, language: str = "en") -> list[str]:
    """Return the target and one line per observation: measurement, value, basis and place; unusable ones say why."""
    from dam_expert.reports.understood import observation_line, target_lines

    words = glossary(base, language)
    written = {id(each.observation) for report in understood.reports for each in report.settings}
    settings = [each for each in understood.incident.settings if id(each) in written]
    values = [observation_line(each, words) for each in (*settings, *understood.incident.observations)]
    return [*target_lines(understood.incident, words), *values]


def explanation_lines(base: Base, understood: Understood, language: str = "en", *, quoting: bool = True) -> list[str]:
    """Return each observation with how it was derived and by whom, after one line per source that was read.

    Reports in prose come first, with what was understood of them marked, unless they must not be quoted.
    """
    from dam_expert.reports.understood import explained_lines, report_lines, source_line, target_lines

    words, reports = glossary(base, language), understood.reports if quoting else ()
    inside = {id(each.observation) for report in reports for each in report.findings}
    inside |= {id(each) for report in reports for reading in report.readings for each in reading.observations}
    shown = [each for each in understood.incident.observations if id(each) not in inside]
    sources = [source_line(reading, words) for reading in understood.readings if reading.lines_read]
    marked = any(report.target is understood.incident.target for report in reports)
    target = () if marked else target_lines(understood.incident, words)
    return [*report_lines(reports, words), *sources, *target, *explained_lines(shown, words, base.tools)]


def redactor(understood: Understood) -> Redactor:
    """Return what replaces hosts, users, paths and addresses in all that is said of an incident."""
    import os
    import platform

    from dam_expert.documents.redacting import Redactor

    incident = understood.incident
    files = [incident.file, *(each.origin.file for each in incident.observations)]
    files += [message.file for message in understood.messages]
    hosts = [member for each in incident.observations for name, member in each.scope if name in HOSTS]
    users = [os.environ[name] for name in ("USER", "LOGNAME") if os.environ.get(name)]
    return Redactor(paths=dict.fromkeys(files), hosts=[*hosts, *filter(None, [platform.node()])], users=users)


def incident_data(base: Base, understood: Understood) -> dict[str, Any]:
    """Return the incident document in its canonical form, as plain data."""
    from dam_expert.documents.incident import canonical

    return canonical(understood.incident, base.names)


def schema(document: str) -> dict[str, Any]:
    """Return the JSON Schema of ``incident``, ``diagnosis``, ``comparison``, ``knowledge`` or ``runbook``."""
    if document == "diagnosis":
        from dam_expert.documents.diagnosis import diagnosis_schema

        return diagnosis_schema()
    if document == "comparison":
        from dam_expert.documents.comparison import comparison_schema

        return comparison_schema()
    if document == "incident":
        from dam_expert.documents.incident import incident_schema

        return incident_schema()
    if document == "runbook":
        from dam_expert.kb.overlay_models import runbook_schema

        return runbook_schema()
    from dam_expert.kb.shapes import knowledge_schema

    return knowledge_schema()
