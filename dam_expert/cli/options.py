"""Options that are alike in every command, and the layout of examples under ``--help``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar, overload

import click

from dam_expert.cli import inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_F = TypeVar("_F", bound="Callable[..., Any]")

FORMATS = ("text", "json", "yaml")
REPORT_FORMATS = ("text", "markdown", "html", "json", "yaml")
LANGUAGES = ("en", "zh", "vi")


def examples(*commands: str) -> str:
    r"""Lay examples out for the end of a help page, one a line.

    >>> examples("dam doctor")
    '\x08\nExamples:\n  dam doctor'
    """
    return "\n".join(["\b\nExamples:", *(f"  {command}" for command in commands)])


def _settings(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Split ``MEASUREMENT=VALUE``; what the value means is checked where the measurement is known."""
    pairs = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise click.BadParameter(f"'{text}' is not MEASUREMENT=VALUE, as in accelerator_utilization='35 %'")
        pairs.append((name.strip(), value.strip()))
    return tuple(pairs)


def named(_context: click.Context, option: click.Parameter, given: Any) -> Any:  # noqa: ANN401
    """Refuse an empty path, which an unset variable gives: it would mean the folder at hand."""
    if "" in (given if isinstance(given, tuple) else (given,)):
        raise click.BadParameter("an empty name is no path; is a variable unset?", param=option)
    return given


def _quiet(_context: click.Context, _option: click.Parameter, given: bool) -> bool:
    if given:
        inputs.note_quiet()
    return given


def runbook_option(command: _F) -> _F:
    """Add ``--runbook``."""
    return click.option(
        "--runbook",
        "runbooks",
        metavar="DIR",
        multiple=True,
        callback=named,
        help="Lay the runbook in DIR over the base; may be repeated, and joins those of dam.toml.",
    )(command)


def language_option(command: _F) -> _F:
    """Add ``--lang``."""
    return click.option(
        "--lang",
        "language",
        type=click.Choice(LANGUAGES),
        help="The language of what is said; else that of the locale (LC_ALL, LC_MESSAGES, LANG), else en.",
    )(command)


_RUNBOOKS = "dam_expert.runbooks"


def kept_runbook_option(command: _F) -> _F:
    """Add ``--runbook`` to a command that needs the base only now and then: :func:`kept_runbooks` gives the folders."""

    def kept(context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> None:
        context.meta[_RUNBOOKS] = given

    return click.option(
        "--runbook",
        metavar="DIR",
        multiple=True,
        expose_value=False,
        callback=kept,
        help="Lay the runbook in DIR over the base; may be repeated, and joins those of dam.toml.",
    )(command)


def kept_runbooks() -> tuple[str, ...]:
    """Return the folders that ``--runbook`` gave to the command that runs."""
    context = click.get_current_context(silent=True)
    return () if context is None else context.meta.get(_RUNBOOKS, ())


@overload
def output_options(command: _F) -> _F: ...
@overload
def output_options(*, formats: Sequence[str]) -> Callable[[_F], _F]: ...
def output_options(command: Any = None, *, formats: Sequence[str] = FORMATS) -> Any:
    """Add ``--format``, ``-o`` and ``--quiet``; ``formats`` where a command has others."""
    return (lambda given: _output_options(given, formats)) if command is None else _output_options(command, formats)


def report_options(command: _F) -> _F:
    """Add ``--format`` with the formats of reports, ``-o``, ``--quiet``, ``--lang``, ``--brief`` and ``--explain``."""
    for option in (
        click.option("--explain", is_flag=True, help="Add the whole proof, all observations and the versions."),
        click.option("--brief", is_flag=True, help="Three lines: what binds, what to do, what to measure."),
        language_option,
    ):
        command = option(command)
    return _output_options(command, REPORT_FORMATS)


def _output_options(command: _F, formats: Sequence[str]) -> _F:
    for option in (
        click.option("--quiet", "-q", is_flag=True, callback=_quiet, help="Say nothing on stderr but errors."),
        click.option(
            "-o",
            "--output",
            metavar="FILE",
            callback=named,
            help="Write to FILE, whole or not at all, instead of stdout.",
        ),
        click.option("--format", "-f", "form", type=click.Choice(formats), default="text", show_default=True),
    ):
        command = option(command)
    return command


def report_language(given: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the language asked for, else that of the locale as far as there is one, else English.

    >>> report_language(None, {"LANG": "zh_CN.UTF-8"}), report_language(None, {"LC_ALL": "C", "LANG": "vi_VN"})
    ('zh', 'en')
    """
    if given is not None:
        return given
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    language = locale.partition("_")[0].partition(".")[0].casefold()
    return language if language in LANGUAGES else "en"


def input_options(command: _F) -> _F:
    """Add PATH…, ``--set`` and ``--no-input``."""
    return _with_inputs(command, is_needed=True)


def optional_input_options(command: _F) -> _F:
    """Add the same to a command that can also do without PATH."""
    return _with_inputs(command, is_needed=False)


def set_option(command: _F) -> _F:
    """Add ``--set``."""
    return click.option(
        "--set",
        "settings",
        metavar="MEASUREMENT=VALUE",
        multiple=True,
        callback=_settings,
        help="Add one value, as reported; may be repeated.",
    )(command)


def _with_inputs(command: _F, *, is_needed: bool) -> _F:
    for option in (
        click.option("--no-input", is_flag=True, help="Never wait for the keyboard."),
        set_option,
        click.argument(
            "paths",
            metavar="PATH..." if is_needed else "[PATH]...",
            nargs=-1,
            required=is_needed,
            callback=named,
        ),
    ):
        command = option(command)
    return command
