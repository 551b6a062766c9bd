// Making elements. Texts, labels among them, become text nodes: nothing here ever reads them as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

// The data that Python has written into the page.
export const pageData = () => JSON.parse(find("data").textContent);

export function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// An element of a tag with classes, such as "p.muted.small"; its attributes, if it has any, come before its children.
function element(created, words, parts) {
  const [tag, ...classes] = words.split(".");
  const [first] = parts;
  const hasAttributes = typeof first === "object" && first !== null && !Array.isArray(first) && !(first instanceof Node);
  const made = created(tag);
  if (classes.length) made.setAttribute("class", classes.join(" "));
  if (tag === "button") made.type = "button";
  return fill(made, hasAttributes ? first : {}, hasAttributes ? parts.slice(1) : parts);
}

export const make = (words, ...parts) => element((tag) => document.createElement(tag), words, parts);
export const draw = (words, ...parts) => element((tag) => document.createElementNS(SVG, tag), words, parts);

// A small quiet button, unless its attributes say otherwise.
export const button = (words, onclick, attributes = {}) =>
  make("button", { class: "quiet small", onclick, ...attributes }, words);

// A text that others have written; its direction is its own.
export const foreignText = (text) => make("bdi.label", text);

// Announces a change to readers who do not see it.
export function say(text) {
  find("said").textContent = text;
}

export function download(name, content, type = "text/csv;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The key "/" leads to the search, unless somebody is typing.
export function slashLeadsTo(input) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
    event.preventDefault();
    input.focus();
  });
}

// A bar that is as full as a share is large.
export function shareBar(share) {
  const bar = make("span.meter", { "aria-hidden": "true" }, make("span.meter-fill"));
  bar.firstChild.style.width = `${(share * 100).toFixed(1)}%`;
  return bar;
}

// --- The small box beside the pointer.

// Content is texts and elements, also in lists.
export function showTip(x, y, ...content) {
  const tip = find("tip");
  tip.replaceChildren();
  fill(tip, {}, content);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(innerWidth - width - 6, x + 14))}px`;
  tip.style.top = `${y + 18 + height > innerHeight ? Math.max(6, y - height - 12) : y + 18}px`;
}

export function hideTip() {
  find("tip").hidden = true;
}

// --- Sentences that Python has sent as lists of parts (support/text.py): words, { label: number } for a label, { text } for another
// text of the log. How a label is shown is up to the page.

// The elements of a sentence; `element` makes that of a label.
export const sentenceElements = (parts, element) =>
  parts.map((part) => {
    if (typeof part === "string") return part.replaceAll(" %", "\u00a0%");
    return part.label === undefined ? foreignText(part.text) : element(part.label);
  });

// A sentence as plain text, for files; `text` makes that of a label.
export const sentenceText = (parts, text) =>
  parts.map((part) => (typeof part === "string" ? part : (part.text ?? text(part.label)))).join("");

// --- A command to copy.

// A command in which no line breaks after the hyphen of a short word such as -o.
const withWholeOptions = (command) =>
  command.split(/( )/).map((word) => (word.startsWith("-") && word.length < 20 ? make("span.whole", word) : word));

// A paragraph with a command and a button that copies it.
export function commandElement(command, id) {
  const code = make("code", { id, tabindex: 0 }, withWholeOptions(command));
  const copied = make("span.muted", { role: "status" });
  const copyText = async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(command);
      copied.textContent = "Copied.";
    } catch {
      copied.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  const copy = make("button.quiet.small", { onclick: copyText }, "Copy");
  return make("p.command", code, copy, copied);
}

// --- The figures of a chart as a table.

export function figureTable(caption, header, rows) {
  // The rows are made when the table is opened.
  const fold = make("details.as-table", make("summary", "As a table"));
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.children.length > 1) return;
    fold.append(
      make(
        "div.scroll",
        { tabindex: 0, role: "region", "aria-label": caption },
        make(
          "table",
          make("caption.unseen", caption),
          make(
            "thead",
            make(
              "tr",
              header.map((cell) => make("th", { scope: "col" }, cell)),
            ),
          ),
          make(
            "tbody",
            rows().map((row) =>
              make(
                "tr",
                row.map((cell) => make("td", cell)),
              ),
            ),
          ),
        ),
      ),
    );
  });
  return fold;
}
