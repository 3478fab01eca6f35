"""Sphinx's configuration of the site; `make site` runs it over the pages that docs/pages.py lays out."""

import pathlib

project = "bpe-workbook"
author = "the bpe-workbook authors"
project_copyright = author
html_title = "From code points to a byte-pair tokenizer"

extensions = ["myst_nb"]
exclude_patterns = ["**/data/**"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # a chapter's hints and tables start sections at any depth

# The solutions carry their outputs: what was checked by nbval is what is shown.
nb_execution_mode = "off"
nb_ipywidgets_js = {}  # no scripts from elsewhere; the token viewer brings its own
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
pygments_style = "a11y-high-contrast-light"  # its contrasts are at least 7:1
pygments_dark_style = "a11y-high-contrast-dark"


def setup(app):
    app.connect("build-finished", reachable)


def reachable(app, exception):
    """Mend what keyboards and screen readers trip over in the theme's HTML (found by axe-core)."""
    if exception:
        return
    for path in pathlib.Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for old, new in (
            ("<pre>", '<pre tabindex="0">'),  # a wide one scrolls, and so must be reached without a mouse
            ('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'),
            ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
            ('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="This page">'),
        ):
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
