// Finding an activity by a part of its label.

const FOUND = 12;

function startSearch() {
  const input = find("search");
  const list = find("search-found");
  let found = [];
  let active = -1;

  const matches = () => {
    const query = input.value.trim().toLowerCase();
    if (!query) return [];
    const ranked = data.labels.map((label, i) => [label.toLowerCase().indexOf(query), i]).filter(([place]) => place >= 0);
    return ranked.sort((a, b) => Number(a[0] > 0) - Number(b[0] > 0) || a[1] - b[1]).map(([, i]) => i);
  };
  const show = () => {
    list.replaceChildren(
      ...found.slice(0, FOUND).map((i, k) =>
        make(
          "li",
          {
            role: "option",
            id: `found-${k}`,
            "aria-selected": String(k === active),
            onpointerdown: (event) => {
              event.preventDefault();
              choose(k, null);
            },
          },
          labelled(i),
          make("span", { class: "count" }, many(data.counts[i])),
        ),
      ),
    );
    if (found.length > FOUND)
      list.append(make("li", { class: "muted", role: "presentation" }, `and ${many(found.length - FOUND)} more`));
    if (!found.length && input.value.trim())
      list.append(make("li", { class: "muted", role: "presentation" }, "No activity is called so."));
    list.hidden = !input.value.trim() || document.activeElement !== input;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (active >= 0) input.setAttribute("aria-activedescendant", `found-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const search = () => {
    found = matches();
    active = found.length ? 0 : -1;
    state.query = input.value;
    show();
    changed("query");
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const choose = (k, event) => {
    const i = found[k];
    input.value = "";
    search();
    close();
    select(i, null, event);
  };
  input.addEventListener("input", search);
  input.addEventListener("focus", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const shown = Math.min(found.length, FOUND);
    if (event.key === "ArrowDown" && shown) active = (active + 1) % shown;
    else if (event.key === "ArrowUp" && shown) active = (active + shown - 1) % shown;
    else if (event.key === "Enter" && active >= 0) choose(active, event);
    else if (event.key === "Escape" && input.value) {
      input.value = "";
      search();
      close();
    } else return;
    event.preventDefault();
    if (event.key.startsWith("Arrow")) show();
  });
  document.addEventListener("keydown", (event) => {
    if (
      event.key !== "/" ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)
    )
      return;
    event.preventDefault();
    input.focus();
  });
}
