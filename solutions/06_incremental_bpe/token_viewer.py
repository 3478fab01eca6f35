"""See a text as tokens, rule by rule: a slider applies the first rules, and the text can be edited in the page.

`view_tokens(text, merges)` needs nothing but the notebook it is called in. The page's own script does the encoding;
where scripts do not run (feedback, a viewer of notebooks), what is seen is the text under all the rules.
"""

import hashlib
import html
import json

from IPython.display import HTML, Javascript, display

CUT = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"  # GPT-2's pre-tokens
CUT_HERE = CUT.replace(r"\s", r"\p{White_Space}").replace(r"\S", r"\P{White_Space}")  # in JavaScript \s is another set


def view_tokens(text, merges, vocab=None, special_tokens=()):
    """Show the tokens of `text` under the trained rules, with ids and bytes.

    merges: rules ((left id, right id), new id) that are applied to the whole text, or, with `vocab` (id -> bytes),
    rules (left bytes, right bytes) that are applied inside each pre-token.
    special_tokens: texts in `vocab` that stay whole.
    """
    if vocab is None:
        single = list(range(256))
        rules = [[left, right, new] for (left, right), new in merges]
        special = {}
    else:
        ids = {piece: number for number, piece in vocab.items()}
        single = [ids[bytes([byte])] for byte in range(256)]
        rules = [[ids[left], ids[right], ids[left + right]] for left, right in merges]
        special = {token: ids[token.encode()] for token in sorted(special_tokens, key=len, reverse=True)}
    data = {"text": text, "single": single, "rules": rules, "special": special, "cut": vocab and CUT_HERE}
    data["place"] = "token-viewer-" + hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    display(HTML(without_script(data, vocab and CUT)))
    display(Javascript(SCRIPT.replace("DATA", json.dumps(data, separators=(",", ":")).replace("</", "<\\/"))))


def tokens_of(data, cut):
    """The tokens of the text under all the rules, as [(id, bytes), ...]: what the script does, for where none runs."""
    import regex

    pieces = {number: bytes([byte]) for byte, number in enumerate(data["single"])}
    for left, right, new in data["rules"]:
        pieces[new] = pieces[left] + pieces[right]
    parts = [data["text"]]
    if data["special"]:
        parts = regex.split("(" + "|".join(map(regex.escape, data["special"])) + ")", data["text"])
    found = []
    for part in parts:
        if part in data["special"]:
            found.append((data["special"][part], part.encode()))
            continue
        for piece in regex.findall(cut, part) if cut else [part]:
            numbers = [data["single"][byte] for byte in piece.encode()]
            for left, right, new in data["rules"]:
                numbers = merged(numbers, left, right, new)
            found += [(number, pieces[number]) for number in numbers]
    return found


def merged(numbers, left, right, new):
    """A new list with `new` for each `left`, `right`, from left to right without overlaps."""
    result, i = [], 0
    while i < len(numbers):
        hit = numbers[i : i + 2] == [left, right]
        result.append(new if hit else numbers[i])
        i += 1 + hit
    return result


def visible(piece):
    """A token's bytes as text with visible white space, or in hexadecimal where they are no whole UTF-8."""
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return piece.hex(" ").upper()
    marks = {**{chr(code): chr(0x2400 + code) for code in range(32)}, " ": "·", "\n": "↵", "\t": "→", "\x7f": "␡"}
    return "".join(marks.get(character, character) for character in text)


def without_script(data, cut):
    tokens = tokens_of(data, cut)
    size = len(data["text"].encode())
    row = " ".join(f"<code>{html.escape(visible(piece))}</code><sub>{number}</sub>" for number, piece in tokens)
    said = f"{size} bytes, {len(tokens)} tokens, with {len(data['rules'])} rules; below each token is its id."
    return f'<div class="token-viewer {data["place"]}"><p>{said}</p><p>{row}</p></div>'


SCRIPT = r"""(() => {
const data = DATA;
const COLOURS = ["#cfe8f7", "#fbe3b5", "#c9ecdf", "#f8d3c3", "#f3d9ea", "#f7f3b8", "#dcdcf5", "#e4e4e4"];
const STYLE = `
.token-viewer.alive { border: 1px solid #8888; border-radius: .4rem; margin: .5rem 0; padding: .75rem; }
.token-viewer.alive label { display: block; font-weight: bold; }
.token-viewer.alive textarea, .token-viewer.alive input { box-sizing: border-box; display: block; width: 100%;
  margin: .25rem 0 .75rem; }
.token-viewer.alive textarea { background: #fff; border: 1px solid #767676; color: #000; font: 1rem monospace;
  padding: .4rem; }
.token-viewer.alive p { margin: .4rem 0; }
.token-viewer.alive ol { display: flex; flex-wrap: wrap; gap: .3rem; list-style: none; margin: .5rem 0 0; padding: 0; }
.token-viewer.alive li { border: 2px solid transparent; border-radius: .3rem; color: #000; line-height: 1.3; margin: 0;
  padding: .1rem .35rem; text-align: center; }
.token-viewer.alive li.new { border-color: #000; outline: 2px solid #d55e00; }
.token-viewer.alive li b { display: block; font-family: monospace; font-size: 1rem; white-space: pre; }
.token-viewer.alive li span { display: block; font-size: .75rem; }
.token-viewer.alive li small { display: block; font-family: monospace; font-size: .7rem; }`;
const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytes = new Map(data.single.map((number, byte) => [number, [byte]]));
for (const [left, right, made] of data.rules) bytes.set(made, [...bytes.get(left), ...bytes.get(right)]);
for (const [text, number] of Object.entries(data.special)) bytes.set(number, [...encoder.encode(text)]);
const specials = Object.keys(data.special).map((text) => text.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&"));
const special = specials.length ? new RegExp(`(${specials.join("|")})`, "u") : null;

function merge(ids, left, right, made) {
  const result = [];
  for (let i = 0; i < ids.length; i++) {
    const hit = ids[i] === left && ids[i + 1] === right;
    result.push(hit ? made : ids[i]);
    i += hit;
  }
  return result;
}

function encode(text, count) {
  return (special ? text.split(special) : [text]).flatMap((part) => {
    if (Object.hasOwn(data.special, part)) return [data.special[part]];
    const pieces = data.cut ? part.match(new RegExp(data.cut, "gu")) || [] : [part];
    return pieces.flatMap((piece) => {
      let ids = [...encoder.encode(piece)].map((byte) => data.single[byte]);
      for (const rule of data.rules.slice(0, count)) ids = merge(ids, ...rule);
      return ids;
    });
  });
}

const hex = (number) => bytes.get(number).map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");

function visible(number) {
  let text;
  try { text = decoder.decode(Uint8Array.from(bytes.get(number))); } catch { return hex(number); }
  const marks = { " ": "·", "\n": "↵", "\t": "→", "\x7f": "␡" };
  return text.replace(/[\0- \x7f]/g, (sign) => marks[sign] || String.fromCharCode(0x2400 + sign.charCodeAt(0)));
}

function make(tag, text, attributes = {}) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.textContent = text;
  return made;
}

function wake(root) {
  root.classList.add("alive");
  const area = make("textarea", data.text, { rows: 3, spellcheck: false, maxLength: 4000 });
  const slider = make("input", "", { type: "range", min: 0, max: data.rules.length });
  slider.value = data.rules.length;
  const labels = [make("label", "Text"), make("label", "Rules applied")];
  labels[0].append(area);
  labels[1].append(slider);
  const size = make("p", ""), last = make("p", ""), row = make("ol", "");
  size.setAttribute("aria-live", "polite");
  row.setAttribute("aria-label", "Tokens");
  root.replaceChildren(make("style", STYLE), ...labels, last, size, row);
  const draw = () => {
    const count = Number(slider.value), ids = encode(area.value, count), rule = data.rules[count - 1];
    const length = encoder.encode(area.value).length;
    const total = data.rules.length, [left, right, made] = rule ? rule.map(visible) : [];
    last.textContent = rule ? `Rule ${count} of ${total}: ${left} + ${right} gives ${made}, id ${rule[2]}`
      : `No rule of ${total}: each byte is a token`;
    size.textContent = `${length} bytes, ${ids.length} tokens` +
      (ids.length ? `: ${(length / ids.length).toFixed(2)} bytes per token` : "");
    row.replaceChildren(...ids.map((number) => {
      const chip = make("li", "", { className: rule && number === rule[2] ? "new" : "" });
      chip.dataset.id = number;
      chip.style.background = COLOURS[number % COLOURS.length];
      chip.append(make("b", visible(number), { dir: "auto" }), make("span", number), make("small", hex(number)));
      return chip;
    }));
  };
  area.addEventListener("input", draw);
  slider.addEventListener("input", draw);
  draw();
}

// JupyterLab may run this before it has put the output above into the page.
let tries = 50;
(function start() {
  const roots = document.querySelectorAll(`.${data.place}:not(.alive)`);
  roots.forEach(wake);
  if (!roots.length && tries--) setTimeout(start, 100);
})();
})();"""
