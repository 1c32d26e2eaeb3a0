"""A real browser that looks at the view: the distribution's Chromium, driven by Playwright."""

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request

ROOT = Path(__file__).resolve().parents[2]
SCREENS = (
    *("overview", "functions", "flame", "graph", "source", "ranks", "timeline", "memory"),
    *("waits", "scaling", "diff"),
)
IMAGES = ROOT / "docs" / "images"


@dataclass
class Visit:
    """A page and everything that went wrong on it."""

    page: Page
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    unanswered: set[Request] = field(default_factory=set)

    @classmethod
    @contextmanager
    def begin(cls, browser: Browser) -> Iterator["Visit"]:
        """A page of its own; whatever it complained about fails the test."""
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(20_000)
        visit = cls(page)
        try:
            yield visit
        finally:
            page.close()
        assert not visit.faults, visit.faults

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self._heard(message.type, message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._asked)
        self.page.on("requestfinished", self._answered)
        self.page.on("requestfailed", self._answered)

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        self.unanswered.add(request)

    def _answered(self, request: Request) -> None:
        self.unanswered.discard(request)

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.faults.append(f"{kind}: {text}")

    def open(self, address: str, screen: str, **params: object) -> None:
        query = "&".join(f"{name}={value}" for name, value in params.items())
        self.page.goto(f"{address}#/{screen}{'?' + query if query else ''}")
        self.settle()

    def settle(self) -> None:
        """Waits until nothing is being loaded or drawn any more."""
        self.page.wait_for_selector("main :is(h1, h2, canvas, table, [role=table], [role=grid])")
        patience = time.monotonic() + 30
        calm_looks = 0
        while calm_looks < 8 and time.monotonic() < patience:
            self.page.wait_for_selector(".loading", state="detached")
            self.page.evaluate(
                "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )
            calm_looks = 0 if self.unanswered else calm_looks + 1

    def check_access(self) -> None:
        """No serious finding of axe, the usual checker of accessibility."""
        if not self.page.evaluate("'axe' in window"):
            # The page's own policy forbids scripts that it does not know, and rightly so.
            self.page.evaluate((axe_script()).read_text())
        found: dict[str, Any] = self.page.evaluate(
            "axe.run(document, {resultTypes: ['violations']})"
        )
        serious = [
            f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes']][:4]}"
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert not serious, "\n".join(serious)

    def picture(self, name: str) -> None:
        """Makes a screenshot anew when that is wanted and the documentation shows it."""
        self.drawing(f"view-{name}")

    def drawing(self, name: str) -> None:
        """The same of what is no screen of the view."""
        file = f"{name}.png"
        if os.environ.get("PYROMETER_SCREENSHOTS") and file in shown_pictures():
            IMAGES.mkdir(exist_ok=True)
            self.page.screenshot(path=IMAGES / file)


def shown_pictures() -> set[str]:
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    pattern = re.compile(r"images/([\w-]+\.png)")
    return {name for document in documents for name in pattern.findall(document.read_text())}


def axe_script() -> Path:
    script = ROOT / "view" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        subprocess.run([ROOT / "tools" / "view.sh", "install"], check=True)
    return script
