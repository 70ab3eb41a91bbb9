"""The page in a real browser, where one is installed: no complaint on its console, nothing asked of any network."""

from __future__ import annotations

import json
import shutil
import subprocess
from urllib.parse import urlsplit

import pytest
from sample_diagnoses import CONFIRMED, MOVED, SUPPORTED, UNDETERMINED, glossary_in

from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts
from dam_expert.reports import build_report, glossary_of
from dam_expert.reports.comparing import compare
from dam_expert.reports.comparison import build_comparison
from dam_expert.reports.fleet import fleet_report
from dam_expert.reports.html import to_html

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"),
    "--host-resolver-rules=MAP * ~NOTFOUND",  # whatever a page or the browser asks for, nothing leaves this machine
)
#: What a browser asks for by itself when it starts, whichever page it shows.
OWN_HOSTS = ("google.com", "googleapis.com")


BASE, _ = load_knowledge()
COUNTS = {"rows": 3, "errors": 0, "bottleneck": {"input": 2, "open": 1}, "settles": {"input_gap_share": 1}}
PAGES = {
    "compared.vi": build_comparison(compare([CONFIRMED], [MOVED], noise=0.03, chance=0.1), glossary_in("vi")),
    "fleet.zh": fleet_report(BASE, COUNTS, glossary_of(BASE, "zh", load_texts(BASE, "zh")[0].by_original)),
    "open.en": build_report(UNDETERMINED, glossary_in("en")),
    "likely.vi": build_report(SUPPORTED, glossary_in("vi")),
}


@pytest.mark.skipif(not BROWSER, reason="no browser is installed")
@pytest.mark.parametrize("name", PAGES)
def test_no_console_message(tmp_path, name):
    """Every kind of page is shown without a word on the console."""
    page = tmp_path / "report.html"
    page.write_text(to_html(PAGES[name]), encoding="utf-8")
    own = [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    done = subprocess.run([BROWSER, *QUIET, *own], capture_output=True, check=True, encoding="utf-8", timeout=120)
    assert "</html>" in done.stdout
    assert "CONSOLE" not in done.stderr


@pytest.mark.skipif(not BROWSER, reason="no browser is installed")
def test_no_console_message_and_no_request(tmp_path):
    """The page draws its pictures, and its log holds neither a console message nor a request to any host."""
    page, log = tmp_path / "report.html", tmp_path / "net.json"
    page.write_text(to_html(build_report(CONFIRMED, glossary_in("zh"))), encoding="utf-8")
    own = [f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={log}", "--dump-dom", page.as_uri()]
    done = subprocess.run([BROWSER, *QUIET, *own], capture_output=True, check=True, encoding="utf-8", timeout=120)
    assert "训练步在等待输入" in done.stdout
    assert "CONSOLE" not in done.stderr
    events = json.loads(log.read_text(encoding="utf-8"))["events"]
    addresses = {urlsplit(str(event.get("params", {}).get("url", ""))) for event in events}
    hosts = {each.hostname or "" for each in addresses if each.scheme in ("http", "https", "ws", "wss", "ftp")}
    assert [host for host in hosts if not host.endswith(OWN_HOSTS)] == []
