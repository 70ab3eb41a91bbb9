r"""Opens an SQLite file from a stranger: read-only, nothing in its schema is run, every row is bounded.

Views, virtual tables and generated columns are not touched, extensions cannot be loaded, and a database that is not
on disk as it is (compressed, or from standard input) is held in memory.

>>> import sqlite3, contextlib
>>> with contextlib.closing(sqlite3.connect(":memory:")) as made:
...     _ = made.executescript("CREATE TABLE a (x, y AS (x + 1)); CREATE VIEW b AS SELECT 1 AS x")
...     _ = made.execute("INSERT INTO a VALUES (1)"), made.commit()
...     raw = made.serialize()
>>> from dam_expert.readers.source import Source
>>> with Database.of(Source.of_bytes("a.sqlite", raw)) as database:
...     database.tables, list(database.rows("a", ("x", "gone"))), list(database.rows("b", ("x",)))
({'a': ('x',)}, [(1, None)], [])
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote

from dam_expert.documents.files import open_file
from dam_expert.readers.source import DamageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self, TypeAlias

    from dam_expert.readers.source import Source

    Cell: TypeAlias = int | float | str | bytes | None

MAGIC = b"SQLite format 3\x00"

BROKEN = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What comes of a damaged file; messages of the library that quote it need not be text."""

MEMORY_BYTES = 1024**3
"""A database that has to be held in memory is refused beyond this."""

CELL_BYTES = 16 * 1024**2
"""No value of a profile is longer."""

DISTINCT = 250_000
"""No profile names more different things."""

_TABLE = re.compile(r"^\s*CREATE\s+TABLE\b", re.IGNORECASE)
_NAME = re.compile(r"^[A-Za-z_]\w{0,99}$")


@dataclasses.dataclass(frozen=True, slots=True)
class Database:
    """An open database. ``tables`` names the plain columns of every plain table."""

    connection: sqlite3.Connection
    tables: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, source: Source) -> Self:
        """Open a source. Raises one of BROKEN where it is no database, DamageError where it cannot be held."""
        connection = _connected(source)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, CELL_BYTES)
            for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
                connection.execute(f"PRAGMA {pragma}")
            connection.text_factory = _text
            return cls(connection, dict(_tables(connection)))
        except BaseException:
            connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def rows(self, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Cell, ...]]:
        """Yield the columns of a table row by row; a column that is not there is None, a table without rows nothing.

        Raises one of BROKEN where the file is damaged.
        """
        there = self.tables.get(table)
        if there is None:
            return
        wanted = ", ".join(f'"{column}"' if column in there else "NULL" for column in columns)
        with contextlib.closing(self.connection.execute(f'SELECT {wanted} FROM "{table}"')) as cursor:
            while batch := cursor.fetchmany(4096):
                yield from batch

    def count(self, table: str) -> int:
        """Return how many rows a table has, 0 where it is not there."""
        if table not in self.tables:
            return 0
        return int(self.connection.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0])

    def span(self, table: str, column: str) -> tuple[int, int] | None:
        """Return the smallest and the largest whole number in a column, None without any."""
        if column not in self.tables.get(table, ()):
            return None
        low, high = self.connection.execute(f'SELECT MIN("{column}"), MAX("{column}") FROM "{table}"').fetchone()
        return (low, high) if isinstance(low, int) and isinstance(high, int) else None

    def distinct(self, table: str, column: str) -> set[int]:
        """Return the different whole numbers in a column."""
        if column not in self.tables.get(table, ()):
            return set()
        query = f'SELECT DISTINCT "{column}" FROM "{table}" LIMIT {DISTINCT}'
        return {value for (value,) in self.connection.execute(query) if isinstance(value, int)}


def _connected(source: Source) -> sqlite3.Connection:
    if source.path is not None:
        with open_file(source.path) as file:
            plain = file.read(len(MAGIC)) == MAGIC
        if plain:
            return sqlite3.connect(f"file:{quote(str(source.path.absolute()))}?mode=ro&immutable=1", uri=True)
    parts: list[bytes] = []
    held = 0
    for block in source.blocks():
        parts.append(block)
        held += len(block)
        if held > MEMORY_BYTES:
            raise DamageError("too-large", "the database is too large to be held in memory", "unpack it to a file")
    connection = sqlite3.connect(":memory:")
    try:
        if held:  # SQLite has no memory for nothing
            connection.deserialize(b"".join(parts))
    except BaseException:
        connection.close()
        raise
    return connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _tables(connection: sqlite3.Connection) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the plain tables with those of their columns that hold values of their own."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' LIMIT 10000").fetchall()
    for name, sql in found:
        if isinstance(name, str) and _NAME.match(name) and isinstance(sql, str) and _TABLE.match(sql):
            columns = connection.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
            yield name, tuple(column[1] for column in columns if column[6] == 0 and _NAME.match(str(column[1])))
