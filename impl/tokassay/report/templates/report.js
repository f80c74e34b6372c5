"use strict";
(() => {
  // Everything from the run goes through `textContent`: it never becomes markup.
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 50;
  const FIELDS = ["engine", "tokenizer", "suite", "kind"];
  const SEARCHED = ["vector", "reason", "cause", "code", "stage", "text", "characters", "account", "engine"];
  const byId = (id) => document.getElementById(id);
  const form = byId("filter"), search = byId("search"), status = byId("status");

  const make = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    node.append(...children.filter((child) => child !== null));
    return node;
  };

  // -- characters -----------------------------------------------------------------------------------

  const hidden = (char) => /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(char) && char !== " ";
  const named = (char) => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

  const characters = (text) => {
    const line = make("bdi", { class: "characters", dir: "ltr" });
    let run = "";
    const flush = () => { if (run) line.append(make("bdi", {}, run)); run = ""; };
    for (const char of text) {
      if (!hidden(char)) { run += char; continue; }
      flush();
      line.append(make("span", { class: "point" }, named(char)));
    }
    flush();
    return line;
  };

  const parsed = (text) => { // the ASCII JSON string that a text is shown as; null where it was cut
    try { const value = JSON.parse(text); return typeof value === "string" ? value : null; } catch { return null; }
  };

  // -- parts of a failure ---------------------------------------------------------------------------

  const row = (name, ...value) => [make("dt", {}, name), make("dd", {}, ...value)];

  const textRows = (text) => {
    const value = parsed(text), rows = row("input", make("code", { class: "text" }, text));
    const plain = value === null || value === "" || /^[ -~]*$/.test(value);
    return plain ? rows : rows.concat(row("characters", characters(value)));
  };

  const count = (number, what) => (number ? `${number} more ${what}` : "");

  const table = (difference) => {
    const line = (side, label) => {
      const cells = difference.columns.map(([expected, got, same]) => {
        const value = side ? got : expected;
        return make("td", same ? {} : { class: "differs" }, value === "" ? "\u00a0" : value);
      });
      return make("tr", {}, make("th", { scope: "row" }, label), ...cells);
    };
    const marks = difference.columns.map(([, , same]) => make("td", {}, same ? "" : "\u25b2"));
    return make("table", { class: "align " + difference.form }, make("tbody", {},
      line(0, "expected"), line(1, "got"),
      make("tr", { class: "marks", "aria-hidden": "true" }, make("td", {}), ...marks)));
  };

  const differenceBlock = (difference) => {
    const around = [count(difference.before, "before")];
    difference.after.forEach((left, side) => around.push(count(left, side ? "after (got)" : "after (expected)")));
    const title = `${difference.what}, first difference at ${difference.first}`;
    const notes = around.filter(Boolean).join(", ");
    return make("div", { class: "block" }, make("h4", {}, title),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Both answers, scrolls sideways" }, table(difference)),
      notes ? make("p", { class: "hint" }, notes) : null);
  };

  const stageBlock = (item) => {
    const at = data.pipeline.indexOf(item.stage);
    const steps = at < 0 ? [item.stage] : data.pipeline;
    const list = make("ol", { class: "stages" }, ...steps.map((name, place) => {
      const state = at < 0 || place === at ? "differs" : place < at ? "same" : "follows";
      return make("li", { class: state }, make("b", {}, name), make("small", {}, state === "differs" ? "differs first" : state));
    }));
    return make("div", { class: "block" }, make("h4", {}, "Stages"), list,
      item.account ? make("pre", { tabindex: "0" }, item.account) : null);
  };

  const cardLink = ([path, link]) => { // a link where the card lies below this page
    if (!link) return make("code", { class: "clause" }, path);
    const target = link.toWellFormed().split("/").map(encodeURIComponent).join("/");
    return make("a", { class: "clause", href: "./" + target }, path);
  };

  const vectors = (item) => item.vectors.join(", ") + (item.count > item.vectors.length ? " and others" : "");
  const tokenizers = (item) => Object.entries(item.tokenizers).map(([name, number]) => `${name} (${number.toLocaleString("en")})`).join(", ");

  const body = (item) => {
    const facts = make("dl", {});
    const add = (name, value) => { if (value) facts.append(...row(name, value)); };
    if (!item.vectors) add("likely cause", item.cause); // it is the title of a finding
    if (item.text) facts.append(...textRows(item.text));
    add("characters at fault", item.characters);
    add("reason", item.reason);
    if (item.times > 1) add("same reason", `${item.times} times in this cell`);
    if (item.clauses) add("clauses", make("span", {}, ...item.clauses.map((clause) => make("code", { class: "clause" }, clause))));
    if (item.tokenizers) add("tokenizers", tokenizers(item));
    if (item.vectors) add("vectors", vectors(item));
    if (item.cards && item.cards.length) facts.append(...row("reproducer", ...item.cards.map(cardLink)));
    return make("div", { class: "body" }, facts,
      item.difference ? differenceBlock(item.difference) : null,
      item.stage ? stageBlock(item) : null);
  };

  const where = (item) => {
    const names = item.tokenizers ? Object.keys(item.tokenizers) : [item.tokenizer];
    return [item.engine, names.length > 1 ? `${names.length} tokenizers` : names[0], item.suite].join(" / ");
  };

  const family = (kind) => (kind === "known" ? "known" : "fail");

  const entry = (item) => {
    const title = item.vectors ? item.cause : item.vector;
    const number = item.count || item.times || 1;
    const head = make("summary", {},
      make("span", { class: "badge " + family(item.kind) }, make("span", { class: "mark", "aria-hidden": "true" }, item.kind === "known" ? "!" : "\u2715"), item.kind),
      make("b", { class: "title" }, title),
      make("span", { class: "where" }, where(item)),
      number > 1 ? make("span", { class: "count" }, `${number.toLocaleString("en")} verdicts`) : null);
    const details = make("details", { class: "entry" }, head);
    details.fill = () => { if (!details.filled) { details.filled = true; details.append(body(item)); } };
    details.addEventListener("toggle", () => details.open && details.fill());
    return details;
  };

  // -- filter -----------------------------------------------------------------------------------------

  const haystack = (item) => {
    if (item.hay === undefined) {
      const parts = SEARCHED.map((name) => item[name] || "").concat(item.clauses || [], item.vectors || [], values(item, "tokenizer"));
      item.hay = (parts.join("\n") + "\n" + (parsed(item.text || "") || "")).toLowerCase();
    }
    return item.hay;
  };

  const values = (item, name) => (name === "tokenizer" && item.tokenizers ? Object.keys(item.tokenizers) : [item[name]]);

  const matches = (item) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return FIELDS.every((name) => !byId(name).value || values(item, name).includes(byId(name).value))
      && words.every((word) => haystack(item).includes(word));
  };

  const list = (place, items) => {
    if (!place) return 0;
    const found = items.filter(matches);
    let shown = 0;
    const more = make("button", { type: "button", class: "more" });
    const extend = (focus) => {
      more.remove();
      const next = found.slice(shown, shown + PAGE).map(entry);
      place.append(...next);
      shown += next.length;
      if (shown < found.length) {
        more.textContent = `Show ${Math.min(PAGE, found.length - shown)} more of ${found.length - shown}`;
        place.append(more);
      }
      if (focus && next.length) next[0].querySelector("summary").focus();
    };
    more.addEventListener("click", () => extend(true));
    place.replaceChildren();
    if (items.length && !found.length) place.append(make("p", { class: "empty" }, "Nothing matches."));
    extend(false);
    return found.length;
  };

  const apply = () => {
    const findings = list(byId("finding-list"), data.findings);
    const failures = list(byId("failure-list"), data.failures);
    const said = data.findings.length ? [`${findings} of ${data.findings.length} findings`] : [];
    said.push(`${failures} of ${data.failures.length} failures`);
    status.textContent = said.join(", ") + " match";
  };

  for (const name of FIELDS) {
    const all = [...new Set([...data.findings, ...data.failures].flatMap((item) => values(item, name)))];
    byId(name).append(make("option", { value: "" }, "all"), ...all.map((value) => make("option", { value }, value)));
    byId(name).addEventListener("change", apply);
  }

  let waiting = 0;
  search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());

  const lead = (wanted) => {
    for (const name of FIELDS) {
      const known = [...byId(name).options].some((one) => one.value === wanted[name]);
      byId(name).value = known ? wanted[name] : "";
    }
    search.value = wanted.search || "";
    apply();
    const heading = byId("findings") && byId("finding-list").querySelector("details") ? byId("findings") : byId("failures");
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.engine !== undefined || button.dataset.search !== undefined) lead(button.dataset);
    if (button.classList.contains("fold")) {
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      byId(button.getAttribute("aria-controls")).classList.toggle("folded", !open);
    }
  });

  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => {
    if (details.fill) details.fill();
    details.open = true;
  }));

  apply();
})();
