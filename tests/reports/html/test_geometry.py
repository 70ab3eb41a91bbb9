"""Where the letters of the pictures lie, measured by a real browser where one is installed."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest

from dam_expert.engine.cases import run_cases
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts
from dam_expert.reports import build_report, glossary_of
from dam_expert.reports.html import to_html
from dam_expert.reports.wording import LANGUAGES

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND"),
)
#: Finds letters outside of their picture, on other letters, or beyond their bar; run by the test alone.
MEASURE = """<script>
const bad = [];
document.querySelectorAll("svg[role=img]").forEach(picture => {
  const frame = picture.getBoundingClientRect();
  if (!frame.width) return;
  const texts = [...picture.querySelectorAll("text")].map(each => [each.textContent, each.getBoundingClientRect()]);
  texts.forEach(([said, box], place) => {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 3) bad.push(["outside", said]);
    texts.slice(place + 1).forEach(([other, its]) => {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 1 && down > 3) bad.push(["on each other", said, other]);
    });
  });
  let bar = null;
  [...picture.children].forEach(each => {
    if (each.tagName === "rect") bar = each.getBoundingClientRect();
    else if (each.classList.contains("inside") && each.getBoundingClientRect().right > bar.right + 0.5)
      bad.push(["beyond its bar", each.textContent]);
  });
});
const page = document.documentElement;
if (page.scrollWidth > page.clientWidth) bad.push(["wider than the page", page.scrollWidth]);
const found = document.createElement("pre");
found.id = "found";
found.textContent = JSON.stringify(bad);
document.body.appendChild(found);
</script>"""
#: A frame is as narrow as a phone, which the window of a browser cannot be.
FRAME = """<!doctype html><body><iframe style="border:0;width:{width}px;height:900px" srcdoc="{page}"></iframe><script>
onload = () => {{
  const found = document.createElement("pre");
  found.id = "found";
  found.textContent = document.querySelector("iframe").contentDocument.getElementById("found").textContent;
  document.body.appendChild(found);
}};
</script></body>"""
RESULTS = run_cases(load_knowledge()[0])


def measured(folder, page, width):
    """Return what is wrong on a page of a width."""
    path = folder / "page.html"
    path.write_text(FRAME.format(width=width, page=html.escape(page + MEASURE)), encoding="utf-8")
    own = [f"--user-data-dir={folder / 'profile'}", "--window-size=1400,1000", "--dump-dom", path.as_uri()]
    done = subprocess.run([BROWSER, *QUIET, *own], capture_output=True, check=True, encoding="utf-8", timeout=120)
    return json.loads(html.unescape(re.findall(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)[-1]))


@pytest.mark.skipif(not BROWSER, reason="no browser is installed")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "width"), [("wide", 1280), ("narrow", 390)])
def test_letters_stay_where_they_belong(tmp_path, language, kind, width):
    """No label of any picture of any case is cut, lies on another one or leaves its bar, on a desk or on a phone."""
    base, _ = load_knowledge()
    texts = {} if language == "en" else load_texts(base, language)[0].by_original
    words = glossary_of(base, language, texts)
    pages = [to_html(build_report(result.diagnosis, words)) for result in RESULTS]
    drawn = [each for page in pages for each in re.findall(rf'<div class="{kind}"><svg.*?</svg></div>', page, re.S)]
    assert len(drawn) > 100
    style = re.findall(r"<style>.*?</style>", pages[0], re.S)[0]
    assert measured(tmp_path, f"<!doctype html>{style}<main>{''.join(drawn)}</main>", width) == []


@pytest.mark.skipif(not BROWSER, reason="no browser is installed")
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_wider_than_its_window(tmp_path, width):
    """A whole page, its folded parts opened, never scrolls sideways."""
    page = to_html(build_report(RESULTS[1].diagnosis, glossary_of(load_knowledge()[0])))
    opened = re.sub(r"<meta http-equiv=[^>]*>", "", page).replace("<details>", "<details open>")
    assert measured(tmp_path, opened.replace("</body>", "").replace("</html>", ""), width) == []
