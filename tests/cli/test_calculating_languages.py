"""The pages of the calculators in Chinese and Vietnamese: the same numbers, other words, still within 80 columns."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from documented import ROOT
from rich.cells import cell_len

from dam_expert.cli.options import LANGUAGES

KERNELS, RUNS = (str(ROOT / "examples" / "calculators" / name) for name in ("kernels.csv", "runs.csv"))
A100, H100 = "NVIDIA A100-SXM4-80GB", "h100-sxm5-80gb"
LLAMA = ("--parameters", "8.03B", "--layers", "32", "--kv-heads", "8", "--head-size", "128", "--sequence", "8192")

#: Calls that between them say almost every phrase.
CALLS = {
    "a step": ("ironlaw", "--compute-time", "60ms", "--data-time", "40ms", "--latency", "5ms", "--measured", "85ms",
               "--lever", "bandwidth=2x"),
    "equal terms": ("ironlaw", "--compute-time", "60ms", "--data-time", "60ms", "--measured", "500ms", "--lever",
                    "operations=0.1x"),
    "an observed step": ("ironlaw", str(ROOT / "examples" / "starved-accelerator")),
    "roofs": ("roofline", "--hardware", A100, "--precision", "bf16"),
    "stated roofs": ("roofline", "--peak", "312TFLOP/s", "--bandwidth", "2TB/s", "--intensity", "40", "--achieved",
                     "79TFLOP/s"),
    "kernels": ("roofline", KERNELS, "--hardware", H100, "--precision", "bf16"),
    "a shape": ("roofline", "--hardware", H100, "--dtype", "bf16", "--gemm", "8192x8192x8192"),
    "training": ("memory", "--parameters", "7B", "--capacity", "80GiB"),
    "serving": ("memory", "--serve", *LLAMA, "--batch", "64", "--hardware", A100),
    "serving that fits": ("memory", "--serve", *LLAMA, "--batch", "4", "--hardware", A100, "--other", "1GiB"),
    "a queue": ("queue", "--arrivals", "60/s", "--service", "12ms", "--in-system", "4", "--response", "43ms"),
    "batches": ("queue", "--arrivals", "60/s", "--service", "20ms", "--batch", "16", "--target", "100ms"),
    "no rate": ("queue", "--arrivals", "60/s", "--service", "20ms", "--target", "1ms", "--in-system", "9",
                "--response", "43ms"),
    "an endless queue": ("queue", "--arrivals", "400/s", "--service", "12ms"),
    "a plan": ("scaling", "--parameters", "70B", "--tokens", "1.4T"),
    "a starved plan": ("scaling", "--parameters", "70B", "--tokens", "100B"),
    "a fit": ("scaling", RUNS, "--fit-up-to", "1B", "--at", "7B"),
    "devices": ("hardware", "--vendor", "NVIDIA"),
    "a device": ("hardware", A100),
}  # fmt: skip
#: Words of English sentences that are no words of Vietnamese.
_ENGLISH = re.compile(
    r"\b(the|of|and|or|with|is|are|was|not|all|at|by|for|from|than|most|more|one|no|fits|lies?|given|"
    r"stated|wasted|known|each|half)\b"
)
NOTES = {"zh": "备注与来源", "vi": "Ghi chú và nguồn", "en": "Notes and sources"}


def page(run, call, language):
    """Return what a call prints, without the notes on a device, which are as their authors wrote them."""
    result = run(*CALLS[call], "--lang", language)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.split(NOTES[language])[0]


@pytest.mark.parametrize("language", ["zh", "vi"])
@pytest.mark.parametrize("call", CALLS)
def test_a_page_in_another_language(run, call, language):
    """Every number stands in it as in English, no word of English is left, and no row is wider than 80 cells."""
    english, other = page(run, call, "en"), page(run, call, language)
    numbers = [sorted(re.findall(r"\d+(?:\.\d+)?(?:e[+-]\d+)?", text)) for text in (english, other)]
    assert numbers[0] == numbers[1]
    assert _ENGLISH.findall(other) == []
    assert [row for row in other.splitlines() if cell_len(row) > 80] == []


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_columns_are_aligned(run, language):
    """The header of a table and the bars of a page stand in columns, counted in cells."""
    head, first = page(run, "devices", language).splitlines()[1:3]
    assert cell_len(head) == cell_len(first)
    bars = [row for row in page(run, "a queue", language).splitlines() if "█" in row or "·" in row]
    assert len({cell_len(re.split("[█·]", row)[0]) for row in bars}) == 1


def test_the_picture_of_characters_is_aligned(run):
    """A roof with a wide name takes its cells from the picture: the rows end where they end in English."""
    rows = [
        [row for row in page(run, "roofs", each).splitlines() if "bf16" in row and "─" in row] for each in LANGUAGES
    ]
    assert len({cell_len(row) for found in rows for row in found}) == 1


def test_documents_have_no_language(run):
    """What programs read is the same in every language."""
    call = CALLS["training"]
    assert len({run(*call, "-f", "json", "--lang", each).stdout for each in LANGUAGES}) == 1


def test_the_locale_chooses(run, monkeypatch):
    """Without --lang the locale decides, as it does for reports."""
    printed = run(*CALLS["a queue"], env={"LC_ALL": "vi_VN.UTF-8"}).stdout
    assert printed.startswith("Hàng đợi\n")


def test_a_calculator_reads_only_its_own_phrases():
    """The phrases of reports are not read for a page of a calculator."""
    program = (
        "import sys; from dam_expert.reports import wording; seen = []; read = wording._read\n"
        "wording._read = lambda *each: seen.append(each) or read(*each)\n"
        "from dam_expert.cli.group import dam\n"
        "dam.main(['queue', '--arrivals', '60/s', '--service', '12ms', '--lang', 'zh'], standalone_mode=False)\n"
        "sys.exit(str(seen) if {group for _, group in seen} != {'calculators'} else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


PICTURES = {
    "a step": ("Iron law", "铁律", "Định luật sắt"),
    "kernels": ("most to gain first", "收益最大的在前", "lợi nhiều nhất đứng trước"),
    "a fit": ("runs held out", "未参与拟合的运行", "lần chạy để riêng"),
}


def picture(run, call, language, folder):
    """Return the SVG of a call, as text."""
    file = folder / "picture.svg"
    result = run(*CALLS[call], "--lang", language, "--plot", str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("call", PICTURES)
def test_pictures(run, tmp_path, call):
    """Titles and labels are in the language of the page; Chinese ones only where a font has the letters."""
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plots'")
    from dam_expert.reports.calculators.figures import letters

    english, chinese, vietnamese = PICTURES[call]
    assert english in picture(run, call, "en", tmp_path)
    assert vietnamese in picture(run, call, "vi", tmp_path)
    has_font = bool(letters._fonts({ord(letter) for letter in "铁律收益"}))
    assert (chinese if has_font else english) in picture(run, call, "zh", tmp_path)


@pytest.mark.parametrize("call", PICTURES)
def test_pictures_without_a_font(run, tmp_path, monkeypatch, call):
    """Where no font has the letters the picture is the English one, to the byte."""
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plots'")
    from dam_expert.reports.calculators.figures import letters

    english = picture(run, call, "en", tmp_path)
    monkeypatch.setattr(letters, "_fonts", lambda needed: [])
    assert picture(run, call, "zh", tmp_path) == english


def test_a_font_of_boxes_is_none():
    """A letter that only the box of matplotlib stands for has no font."""
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plots'")
    from dam_expert.reports.calculators.figures import letters

    assert letters._fonts({0x10FFFD}) == []
    assert letters._fonts({ord("a")}) == ["DejaVu Sans"]
