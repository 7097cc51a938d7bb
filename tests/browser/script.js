// Added to a page by tests/browser/main.rs: acts like a reader and writes what it sees into an element `notes`.
(async () => {
  const notes = { errors: [] };
  addEventListener("error", (event) => notes.errors.push(event.message));
  const $ = (id) => document.getElementById(id);
  // Waits until something is there, or for a while.
  const until = async (look) => {
    for (let tries = 0; tries < 200 && !look(); tries += 1) await wait(20);
    return look();
  };
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const selected = () => document.querySelector('tr[aria-selected="true"]')?.id;
  const drawn = () => document.querySelectorAll("tr.match").length;
  const filter = async (text) => {
    $("filter").value = text;
    $("filter").dispatchEvent(new Event("input"));
    await wait(50);
  };
  const copied = [];
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => copied.push(text) } });
  try {
    await wait(200);
    notes.found = $("found").textContent;
    notes.rowcount = $("table").getAttribute("aria-rowcount");
    notes.drawn = drawn();
    notes.first = selected();
    notes.row_width = document.querySelector("tr.match").offsetWidth / $("table").clientWidth;
    const large = $("large");
    notes.men = large.querySelectorAll("use.w, use.b").length;
    notes.marks = ["rect.last", "rect.sq", "g.ray"].map((kind) => large.querySelectorAll(kind).length);
    press("j");
    press("j");
    notes.after_j = selected();
    press("k");
    notes.after_k = selected();
    press("End");
    await wait(100);
    notes.after_end = selected();
    notes.drawn_at_end = drawn();
    await filter("reti 4321 1921");
    notes.filtered = $("shown").textContent;
    notes.filtered_white = document.querySelector("tr.match .w-side .text").textContent;
    press("c");
    press("p");
    await wait(50);
    [notes.fen, notes.pgn] = copied;
    await filter("");
    const sort = (name) => [...document.querySelectorAll("th button")].find((button) => button.textContent === name).click();
    const row = (number) => document.querySelector(`tr.match[aria-rowindex="${number + 1}"]`);
    const firstYear = async () => (await until(() => row(1))).querySelector(".date").textContent;
    sort("Year");
    notes.by_year = [await firstYear()];
    sort("Year");
    notes.by_year.push(await firstYear());
    sort("#");
    await until(() => $("match-17"));
    notes.odd_white = document.querySelector("#match-17 .w-side .text").textContent;
    notes.broken = "broken" in window;
    press("/");
    notes.focus = document.activeElement.id;
    document.activeElement.blur();
    press("?");
    notes.help = $("help").open;
    $("help").close();
    notes.theme = [];
    document.documentElement.dataset.theme = "light";
    for (let i = 0; i < 2; i += 1) {
      press("t");
      notes.theme.push(document.documentElement.dataset.theme);
    }
    notes.requests = performance.getEntriesByType("resource").length;
  } catch (error) {
    notes.errors.push(String(error));
  }
  const out = document.createElement("pre");
  out.id = "notes";
  out.textContent = JSON.stringify(notes);
  document.body.append(out);
})();
