"""A chapter's way through JupyterLab and formgrader in a real browser, clicked and typed as people do it.

The chapter is a short one: an exercise and a written answer of chapter 3, so that most of the time is the browser's.
Pictures of every station are kept in build/screenshots.
"""

import getpass
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from browser import chromium, complaints, keep

from autograder.checks.runner import chapter_checks

pytestmark = pytest.mark.xdist_group("browser")
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK, TOKEN = "03_naive_bpe", "naive_bpe", "browser-test"
KEPT = re.compile(r"opening|rules|count-pairs-.*|count-is-not-saving-.*")
ANSWER = """from collections import Counter

def count_pairs(sequences):
    return dict(Counter(pair for ids in sequences for pair in zip(ids, ids[1:])))"""
WRITTEN, MINE = "written_count_is_not_saving", "The two places of a run overlap."

# Complaints that are not ours: a pattern and its reason.
KNOWN = {
    r"net::ERR_ABORTED": "what a page was still asking for when we left it",
    r"mathjax": "formgrader's page of a submission asks a CDN for MathJax; without a network its text stays as it is",
}


def unknown(noted: list[str]) -> list[str]:
    return [complaint for complaint in noted if not any(re.search(known, complaint, re.I) for known in KNOWN)]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with the short chapter, its exchange, and a home without anybody's settings."""
    root = tmp_path_factory.mktemp("course")
    (path,) = (ROOT / "solutions" / CHAPTER).glob("*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if KEPT.fullmatch(cell.id)]
    (root / "solutions" / CHAPTER).mkdir(parents=True)
    nbformat.write(notebook, root / "solutions" / CHAPTER / path.name)
    exchange = root / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    config = (ROOT / "nbgrader_config.py").read_text()
    (root / "nbgrader_config.py").write_text(f"{config}\nget_config().Exchange.root = {str(exchange)!r}\n")
    settings = root / "home" / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps({"fetchNews": "false"}))
    return root


@pytest.fixture(scope="module")
def lab(course):
    """JupyterLab in the course folder; gives its address."""
    scripts = pathlib.Path(sys.executable).parent
    home = course / "home"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {
        **os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "PYTHONPATH": str(ROOT),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"), "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"), "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    words = [
        scripts / "jupyter", "lab", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={course}", "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--allow-root",
    ]
    with (course / "server.log").open("w") as log:
        server = subprocess.Popen(words, cwd=course, env=env, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, server, course / "server.log")
        yield address
    finally:
        server.terminate()
        server.wait(30)


def wait_for(address: str, server: subprocess.Popen, log: pathlib.Path) -> None:
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"JupyterLab ended:\n{log.read_text()}")


@pytest.fixture
def page(lab):
    with chromium() as browser, browser.new_context(viewport={"width": 1280, "height": 860}) as context:
        context.set_default_timeout(30_000)
        opened = context.new_page()
        opened.noted = complaints(opened)
        opened.goto(f"{lab}/lab?token={TOKEN}")
        yield opened
        keep(opened, "last")


def press(page, row: str, column: str, name: str) -> None:
    """Press a button of formgrader's table and close the dialog that tells of success."""
    page.locator(f"tr:has-text('{row}') td.{column} a").click()
    page.locator("#success-modal").wait_for(state="visible")
    keep(page, name)
    page.locator("#success-modal .modal-header button").click()
    page.locator("#success-modal").wait_for(state="detached")


def assignment_list(page, lab: str):
    page.goto(f"{lab}/lab?reset")
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_text("Assignment List", exact=True).last.click()
    listed = page.locator("#nbgrader-assignment-list")
    listed.get_by_text(CHAPTER).first.wait_for()
    return listed


def validate(page) -> str:
    """Press Validate; returns what the dialog says."""
    page.locator("jp-button", has_text="Validate").click()
    dialog = page.locator(".jp-Dialog-content")
    dialog.wait_for()
    said = dialog.inner_text()
    keep(page, "lab-validate-passes" if "Success" in said else "lab-validate-fails")
    dialog.get_by_text("Ok", exact=False).last.click()
    dialog.wait_for(state="detached")
    return said


def test_a_chapter_from_release_to_feedback(page, lab, course):
    # The instructor generates and releases the chapter.
    page.goto(f"{lab}/formgrader/manage_assignments")
    press(page, CHAPTER, "assign", "formgrader-generated")
    press(page, CHAPTER, "release", "formgrader-released")

    # The student fetches it, opens it, runs all of it, and validates too early.
    listed = assignment_list(page, lab)
    keep(page, "lab-assignment-list")
    listed.get_by_role("button", name="Fetch", exact=True).click()
    listed.get_by_role("button", name="Submit", exact=True).wait_for()
    page.goto(f"{lab}/lab/tree/{CHAPTER}/{NOTEBOOK}.ipynb?reset")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.locator(".jp-OutputArea-output", has_text="NotImplementedError").first.wait_for()
    keep(page, "lab-chapter-run")
    assert "failed" in validate(page)

    # A right answer, and a written one.
    editor = page.locator(".jp-CodeCell .cm-content", has_text="def count_pairs")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(ANSWER)
    written = page.locator(".jp-MarkdownCell", has_text="YOUR ANSWER HERE")
    written.dblclick()
    written = page.locator(".jp-MarkdownCell .cm-content:visible", has_text="YOUR ANSWER HERE")
    written.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(MINE)
    assert "Success" in validate(page)

    # Submit.
    listed = assignment_list(page, lab)
    listed.get_by_role("button", name="Submit", exact=True).click()
    listed.get_by_role("button", name="Fetch Feedback", exact=True).wait_for()
    keep(page, "lab-submitted")

    # The instructor collects, autogrades, reads the written answer, and returns feedback.
    student = getpass.getuser()
    page.goto(f"{lab}/formgrader/manage_assignments")
    press(page, CHAPTER, "collect", "formgrader-collected")
    page.goto(f"{lab}/formgrader/manage_submissions/{CHAPTER}")
    press(page, student, "autograde", "formgrader-autograded")
    page.goto(f"{lab}/formgrader/gradebook/{CHAPTER}/{NOTEBOOK}")
    page.locator("td a", has_text="Submission").first.click()
    for field in (f"{WRITTEN}-comment", "test_count_pairs"):  # formgrader asks for comments and for marks by turns
        page.locator(f"#{field}[placeholder]").wait_for()
    assert MINE in page.locator("body").inner_text()
    assert page.locator("#test_count_pairs").get_attribute("placeholder") == "4"
    sentences = [check.sentence.split("`")[0] for check in chapter_checks(CHAPTER)["test_count_pairs"]]
    assert [text for text in sentences if text not in page.locator("body").inner_text()] == []
    for field, text, kind in (("", "1", "grade"), ("-comment", "Well seen.", "comment")):
        with page.expect_response(lambda answer, kind=kind: f"/api/{kind}/" in answer.url):
            page.locator(f"#{WRITTEN}{field}").fill(text)
            page.keyboard.press("Tab")
    keep(page, "formgrader-grading")
    page.goto(f"{lab}/formgrader/manage_assignments")
    press(page, CHAPTER, "generate-feedback", "formgrader-feedback-generated")
    press(page, CHAPTER, "release-feedback", "formgrader-feedback-released")

    # The student fetches and reads it.
    listed = assignment_list(page, lab)
    listed.get_by_role("button", name="Fetch Feedback", exact=True).click()
    listed.get_by_text("view feedback").first.wait_for()
    keep(page, "lab-feedback-fetched")
    (feedback,) = (course / CHAPTER / "feedback").rglob("*.html")
    page.goto(feedback.as_uri())
    text = page.locator("body").inner_text()
    assert "Well seen." in text
    assert MINE in text
    keep(page, "feedback")
    page.goto(f"{lab}/lab/tree/{feedback.relative_to(course).as_posix()}?reset")
    inside = page.frame_locator(".jp-HTMLViewer iframe").locator("body")
    inside.get_by_text("Well seen.").wait_for()
    keep(page, "feedback-in-lab")
    assert '\n'.join(unknown(page.noted)) == ""
