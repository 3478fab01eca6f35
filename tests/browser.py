"""The system's Chromium as the tests use it: no network, a profile of its own, and every complaint noted."""

import contextlib
import pathlib
import shutil

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]


@contextlib.contextmanager
def chromium():
    """A headless Chromium with a new profile; it closes with the block."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed: sudo apt-get install -y chromium fonts-noto-core")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def complaints(page) -> list[str]:
    """A list that grows by each console error, uncaught exception and failed request of the page."""
    found: list[str] = []

    def console(message):
        if message.type == "error":
            found.append(f"console: {message.text} {message.location.get('url', '')}")

    page.on("console", console)
    page.on("pageerror", lambda error: found.append(f"exception: {error}"))
    page.on("requestfailed", lambda request: found.append(f"failed: {request.url} {request.failure}"))
    page.on("response", lambda answer: found.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None)
    return found


def keep(page, name: str) -> None:
    """Keep a picture of the page in build/screenshots, where people look at it after the tests."""
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")
