"""The golden reports: what each file holds. Run ``python tests/reports/golden_files.py`` to write today's reports."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from sample_diagnoses import BETTER, CONFIRMED, MOVED, SUPPORTED, UNDETERMINED, glossary_in

from dam_expert.reports import build_report, to_json, to_markdown, to_text
from dam_expert.reports.comparing import compare
from dam_expert.reports.comparison import build_comparison
from dam_expert.reports.html import to_html
from dam_expert.reports.wording import LANGUAGES

FOLDER = Path(__file__).parent / "golden"

GAIN = compare([CONFIRMED], [BETTER], noise=0.03, chance=0.1)
NO_GAIN = compare([CONFIRMED], [MOVED], noise=0.03, chance=0.1)


def golden() -> dict[str, str]:
    """Return by file name what the file must hold."""
    english = glossary_in("en")
    found = {
        "explained.txt": to_text(build_report(CONFIRMED, english), explain=True),
        "explained.md": to_markdown(build_report(CONFIRMED, english), explain=True),
        "narrow.txt": to_text(build_report(CONFIRMED, english), width=44),
        "supported_brief.txt": to_text(build_report(SUPPORTED, english), brief=True),
        "supported_brief.md": to_markdown(build_report(SUPPORTED, english), brief=True),
        "supported_brief.html": to_html(build_report(SUPPORTED, english), brief=True),
        "undetermined.txt": to_text(build_report(UNDETERMINED, english)),
        "no_gain.txt": to_text(build_comparison(NO_GAIN, english)),
        "gain.json": to_json(GAIN.as_data()),
    }
    for language in LANGUAGES:
        words = glossary_in(language)
        for name, report in (("confirmed", build_report(CONFIRMED, words)), ("gain", build_comparison(GAIN, words))):
            found[f"{name}.{language}.txt"] = to_text(report)
            found[f"{name}.{language}.md"] = to_markdown(report)
            found[f"{name}.{language}.html"] = to_html(report)
    return found


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, text in golden().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
