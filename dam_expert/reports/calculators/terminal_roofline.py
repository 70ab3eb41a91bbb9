"""A roofline drawn with characters: both axes logarithmic, roofs as lines, kernels as letters, within 80 columns."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING

from rich.cells import cell_len

from dam_expert.documents.messages import printable
from dam_expert.reports.calculators.page import amount
from dam_expert.reports.calculators.words import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.physics.answers.roofline import Roofline
    from dam_expert.reports.calculators.words import Words

_ROWS, _MARGIN, _LONGEST = 16, 15, 12
_DECADES_LEFT = 2
MARKS = string.ascii_lowercase


def drawn(answer: Roofline, width: int = 78, words: Words | None = None) -> list[str]:
    """Return the rows of the picture; points beyond the letters of the alphabet are left to the table."""
    canvas = _Canvas(answer, width, words or spoken())
    for row in range(_ROWS):
        canvas.mark_roofs(row)
    canvas.name_roofs()
    for mark, (intensity, rate) in zip(MARKS, _marked(answer), strict=False):
        canvas.put(intensity, rate, mark)
    return list(canvas.rows())


def _marked(answer: Roofline) -> list[tuple[float, float]]:
    """Return intensity and rate of what is lettered: kernels, or where only shapes are known what they can reach."""
    if not answer.points:
        return [(each.intensity, each.attainable_flops_per_s) for each in answer.expected]
    return [(point.kernel.intensity, point.kernel.achieved_flops_per_s) for point in answer.points]


class _Canvas:
    """Cells over the ranges that hold all ridges and points, in whole decades."""

    def __init__(self, answer: Roofline, width: int, words: Words) -> None:
        self.answer = answer
        self.words = words
        self.columns = max(width - _MARGIN - 1, 20)
        marked = _marked(answer)
        across = [ridge.intensity for ridge in answer.ridges] + [intensity for intensity, _ in marked if intensity]
        rates = [peak.rate for peak in answer.peaks]
        reached = [rate for _, rate in marked if rate]
        self.left = math.floor(math.log10(min(across))) - (0 if marked else _DECADES_LEFT)
        self.right = math.ceil(math.log10(max(across)) + 0.5)
        self.top = math.log10(max(rates)) + 0.2
        lowest = min([*reached, 10**self.left * answer.bandwidth.rate])
        self.bottom = math.floor(math.log10(lowest) * 2) / 2
        self.cells = [[" "] * self.columns for _ in range(_ROWS)]

    def column(self, intensity: float) -> int:
        return round((math.log10(intensity) - self.left) / (self.right - self.left) * (self.columns - 1))

    def row(self, rate: float) -> int:
        return round((self.top - math.log10(rate)) / (self.top - self.bottom) * (_ROWS - 1))

    def intensity(self, column: int) -> float:
        return float(10 ** (self.left + column / (self.columns - 1) * (self.right - self.left)))

    def mark_roofs(self, row: int) -> None:
        """Draw the slope up to the highest peak, and each peak from where it meets the slope."""
        highest = max(peak.rate for peak in self.answer.peaks)
        for column in range(self.columns):
            slope = self.intensity(column) * self.answer.bandwidth.rate
            if slope < highest and self.row(slope) == row:
                self.cells[row][column] = "/"
            if any(self.row(peak.rate) == row and slope >= peak.rate for peak in self.answer.peaks):
                self.cells[row][column] = "─"

    def name_roofs(self) -> None:
        """Write the name of each peak at its right end, and that of the memory before its slope."""
        for peak in self.answer.peaks:
            name = self._letters(f" {printable(self.words.text(peak.name))[:_LONGEST]} ")
            self.cells[self.row(peak.rate)][-len(name) :] = name
        name = self._letters(f"{printable(self.words.text(self.answer.bandwidth.name))[:_LONGEST]} ")
        row = next((cells for cells in self.cells if "/" in cells and cells.index("/") <= self.columns // 2), None)
        if row is not None and row.index("/") >= len(name):
            at = row.index("/")
            row[at - len(name) : at] = name

    @staticmethod
    def _letters(name: str) -> list[str]:
        """Return the cells of a name; a wide character fills two, the second of which is empty."""
        return [cell for letter in name for cell in (letter, "")[: max(cell_len(letter), 1)]]

    def put(self, intensity: float, rate: float, mark: str) -> None:
        if intensity <= 0 or rate <= 0:
            return
        row, column = self.row(rate), self.column(intensity)
        if 0 <= row < _ROWS and 0 <= column < self.columns:
            cells = self.cells[row]
            if cells[column] == "":  # the second half of a wide character: neither half is left
                cells[column - 1] = " "
            elif column + 1 < self.columns and cells[column + 1] == "":
                cells[column + 1] = " "
            taken = cells[column] != "" and cells[column] in MARKS
            self.cells[row][column] = "*" if taken else mark

    def rows(self) -> Iterator[str]:
        labels = {}
        for decade in range(math.ceil(self.bottom), math.floor(self.top) + 1):
            labels[self.row(10.0**decade)] = amount(10.0**decade, "FLOP/s")
        for number, cells in enumerate(self.cells):
            yield f"{labels.get(number, ''):>{_MARGIN - 2}} │{''.join(cells)}".rstrip()
        axis, names = ["─"] * self.columns, [" "] * self.columns
        for decade in range(math.ceil(self.left), math.floor(self.right) + 1):
            column = self.column(10.0**decade)
            axis[column] = "┴"
            name = f"{10.0**decade:g}"
            first = min(max(column - len(name) // 2, 0), self.columns - len(name))
            names[first : first + len(name)] = name
        yield " " * (_MARGIN - 1) + "└" + "".join(axis)
        yield (" " * _MARGIN + "".join(names)).rstrip()
        title = self.words.say("roofline.x")
        title = title if cell_len(title) <= self.columns else "FLOP/byte"
        room = self.columns - cell_len(title)
        yield " " * (_MARGIN + room // 2 + (room & self.columns & 1)) + title
