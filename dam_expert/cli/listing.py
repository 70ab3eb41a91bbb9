"""Groups of commands whose help says of each what it does in a whole sentence, where click would cut it."""

from __future__ import annotations

import click


class Listed(click.Group):
    """A group that lists its commands with the first paragraph of their help."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, sentences wrapped and never cut."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, _first(command)) for name, command in commands if command is not None and not command.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


def _first(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())
