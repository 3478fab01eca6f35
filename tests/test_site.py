"""The site is whole: built without a warning, no dead link, nothing loaded from elsewhere, readable by everybody."""

import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse

import nbformat
import pytest
from browser import chromium, complaints, keep

pytestmark = pytest.mark.xdist_group("browser")
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTERS = sorted(path.parent.name for path in ROOT.glob("solutions/*/*.ipynb"))
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The built site; a warning of Sphinx fails it."""
    folder = tmp_path_factory.mktemp("site")
    for words in (
        [ROOT / "docs" / "pages.py", folder / "pages"],
        ["-m", "sphinx", "-q", "-W", "--keep-going", "-c", ROOT / "docs", "-d", folder / "doctrees",
         folder / "pages", folder / "site"],
    ):
        run = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=folder)
        assert run.returncode == 0, run.stderr
    return folder / "site"


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and which places can be linked to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.places |= {named[key] for key in ("id", "name") if named.get(key)}
        if tag == "a" and named.get("href") is not None:
            self.links.append(named["href"])
        if tag == "link" and named.get("rel") not in ("canonical", "search", "index", "next", "prev"):
            self.loads.append(named["href"])
        if named.get(LOADS.get(tag, "")):
            self.loads.append(named[LOADS[tag]])


def read(site: pathlib.Path) -> dict[pathlib.Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def dead(path: pathlib.Path, link: str, pages: dict[pathlib.Path, Page]) -> bool:
    """Whether a link of the page at `path` leads nowhere within the site; links to other hosts are not tried."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme in ("http", "https", "mailto", "data"):
        return False
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return True
    return bool(parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places)


def test_no_link_is_dead(site):
    pages = read(site)
    assert len(pages) > len(CHAPTERS)
    found = [(str(path.relative_to(site)), link) for path, page in pages.items()
             for link in (*page.links, *page.loads) if dead(path, link, pages)]
    assert found == []


def test_a_dead_link_would_be_found(tmp_path):
    text = '<a href="#here" id="here"></a><a href="#gone"></a><a href="gone.html"></a>'
    (tmp_path / "a.html").write_text(text)
    pages = read(tmp_path)
    (path,) = pages
    assert [link for link in pages[path].links if dead(path, link, pages)] == ["#gone", "gone.html"]


def test_nothing_is_loaded_from_elsewhere(site):
    loads = [(path.name, load) for path, page in read(site).items() for load in page.loads]
    styles = [(path.name, load) for path in site.rglob("*.css")
              for load in re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]+)", path.read_text(encoding="utf-8"))]
    assert loads != []
    assert [(name, load) for name, load in loads + styles if re.match(r"(https?:)?//", load)] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_shows_its_figures_and_hides_its_answers(site, chapter):
    """Every stored figure is there with its text; each solution and model answer is folded; no sealed check is left."""
    (path,) = (ROOT / "solutions" / chapter).glob("*.ipynb")
    page = (site / "chapters" / f"{chapter}.html").read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    answers = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]
    code = [cell for cell in answers if cell.cell_type == "code"]
    figures = sum(str(output.get("data", {}).get("text/html", "")).count("<img ") for cell in cells
                  for output in cell.get("outputs", []))
    assert page.count("Show the solution") == len(code) > 0
    assert page.count("YOUR CODE HERE") >= len(code)
    assert page.count("Show a model answer") == len(answers) - len(code)
    assert len(re.findall(r'<img alt="[^"]', page)) == figures
    assert "sealed checks" not in page
    assert "SystemError" not in page


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


def serious(page, *, colours: bool) -> list[str]:
    """axe-core's findings of weight on the page as it stands, contrasts of colour among them if wanted."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"], "preload": False, "rules": {"color-contrast": {"enabled": colours}}}
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in Axe().run(page, options=options).response["violations"] if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_work_offline(site, browser, scheme):
    """Opened from the disk, without a network: no complaint of the browser, none of weight from axe-core.

    Contrasts take nine tenths of the time, and colours come from one style sheet: a few pages have all of them.
    """
    colourful = {"index", "search", "03_naive_bpe"}
    with browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        noted = complaints(page)
        for path in sorted(site.rglob("*.html")):
            if scheme == "dark" and path.stem not in colourful:
                continue
            page.goto(path.as_uri())
            assert (path.name, serious(page, colours=path.stem in colourful), noted) == (path.name, [], [])
            if path.stem in colourful:
                place = path.relative_to(site).with_suffix("")
                keep(page, "-".join(["site", *place.parts, scheme]))


def test_nothing_sticks_out_on_a_phone(site, browser):
    with browser.new_context(offline=True, is_mobile=True, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        for path in sorted(site.rglob("*.html")):
            page.goto(path.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name
        page.goto((site / "chapters" / "03_naive_bpe.html").as_uri())
        keep(page, "site-phone")


def test_the_search_finds_a_word(site, browser):
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto(f"{(site / 'search.html').as_uri()}?q=surrogate")
        page.wait_for_selector("#search-results li a")
        assert page.locator("#search-results li a", has_text="Code points").count() > 0


def test_a_solution_opens_at_a_click(site, browser):
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((site / "chapters" / "03_naive_bpe.html").as_uri())
        solution = page.locator("details", has=page.get_by_text("Show the solution")).first
        assert not solution.locator("pre").is_visible()
        solution.locator("summary").click()
        assert "counts.get(pair, 0) + 1" in solution.locator("pre").inner_text()
