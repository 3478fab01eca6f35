"""The token viewer beside the chapters: the page's script and the page without a script give the reference's ids."""

import importlib.util
import pathlib
import re

import pytest
from browser import chromium, complaints, keep

from autograder.reference import byte_bpe, naive_bpe, pretokenized_bpe, tokenizer

pytestmark = pytest.mark.xdist_group("browser")
ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIES = sorted(ROOT.glob("solutions/*/token_viewer.py"))
SPECIAL = ["<s>", "<s><s>", "<|end|>"]
TEXTS = [
    "", "a", "aaaaa", "the people of the thing", "abab acac", "<s>one<s><s>two<|end|>", "\0\x1f\x7f&<b>",
    "two  spaces,\n\n\n\ttabs \u00a0 and \u0085 more \ufeff",
    "it's we'll I'LL 1234 números, 漢字と한글 กขค 👩\u200d👩\u200d👧 e\u0301",
]
CORPUS = [
    "the people and the other people of the nation", "aaaa baa aaab", "abab acac", "漢字と漢字の言葉",
    "it's the 1234 12",
]


def load(path: pathlib.Path = COPIES[0]):
    spec = importlib.util.spec_from_file_location("token_viewer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def viewer():
    return load()


def test_the_copies_are_equal():
    assert len(COPIES) >= 4
    assert len({path.read_bytes() for path in COPIES}) == 1


@pytest.fixture(scope="module")
def byte_rules():
    return naive_bpe.fit_merges(CORPUS, 40)


@pytest.fixture(scope="module")
def pretoken_rules(tmp_path_factory):
    corpus = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    corpus.write_text("\n".join(CORPUS), encoding="utf-8")
    return pretokenized_bpe.train_bpe(corpus, 300, SPECIAL)


@pytest.fixture
def shown(viewer, monkeypatch):
    """A function that calls view_tokens and returns the HTML and the script that it displays."""
    outputs = []
    monkeypatch.setattr(viewer, "display", outputs.append)

    def call(*arguments):
        outputs.clear()
        viewer.view_tokens(*arguments)
        return [output.data for output in outputs]

    return call


def right_ids(text: str, merges: list, vocab: dict | None) -> list[int]:
    if vocab is None:
        return byte_bpe.encode(text, merges)[1:-1]
    return tokenizer.Tokenizer(vocab, merges, SPECIAL).encode(text)


def cases(byte_rules, pretoken_rules) -> list[tuple]:
    vocab, merges = pretoken_rules
    return [(byte_rules, None, ()), (merges, vocab, SPECIAL)]


def test_without_a_script_the_ids_are_right(shown, byte_rules, pretoken_rules):
    for merges, vocab, special in cases(byte_rules, pretoken_rules):
        for text in TEXTS:
            static, _ = shown(text, merges, vocab, special)
            ids = [int(number) for number in re.findall(r"<sub>(\d+)</sub>", static)]
            assert ids == right_ids(text, merges, vocab), text
            assert "<script" not in static
            assert "<b>" not in static


def test_the_same_call_gives_the_same_output(shown, byte_rules):
    assert shown("abab", byte_rules) == shown("abab", byte_rules)


def test_in_the_browser_the_ids_are_right_rule_by_rule(shown, byte_rules, pretoken_rules):
    """Each text is typed in, the slider moved to every fifth rule, and the ids read off the coloured tokens."""
    with chromium() as browser, browser.new_context(offline=True) as context:
        page = context.new_page()
        noted = complaints(page)
        for merges, vocab, special in cases(byte_rules, pretoken_rules):
            static, script = shown("to begin with </script>", merges, vocab, special)
            page.set_content(f"<!DOCTYPE html><title>tokens</title><script>{script}</script><main>{static}</main>")
            page.wait_for_selector(".token-viewer.alive")
            for text in TEXTS:
                page.locator("textarea").fill(text)
                for count in range(0, len(merges) + 1, 5):
                    page.locator("input[type=range]").fill(str(count))
                    ids = page.eval_on_selector_all("li", "chips => chips.map(chip => Number(chip.dataset.id))")
                    assert ids == right_ids(text, merges[:count], vocab), (text, count)
            page.locator("textarea").fill("the people of the 漢字")
            keep(page, f"token-viewer-{'pretokens' if vocab else 'bytes'}")
        assert noted == []


def test_what_is_shown_of_a_token(viewer):
    """White space and control characters are visible; what is no whole character is told in bytes."""
    shown = [viewer.visible(piece) for piece in (b" the", b"a\n\t\r\0", "漢".encode(), "漢".encode()[:2])]
    assert shown == ["·the", "a↵→␍␀", "漢", "E6 BC"]
