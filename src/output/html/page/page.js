// What can be done with the page: keys, buttons, the address, the clipboard, light and dark.

// ---- small windows: the list, or the game over it

const narrow = matchMedia("(max-width: 719px), (max-width: 839px) and (max-height: 860px)");
const isOpen = () => document.body.classList.contains("open");
/** Whether the game hides the list. */
const isCovered = () => narrow.matches && isOpen();

/** What the game lies over cannot be reached meanwhile. */
function cover() {
  for (const part of document.querySelectorAll("header, #matches")) part.inert = isCovered();
}

narrow.addEventListener("change", cover);

let hashBefore = ""; // of the address, when the game was opened

/** Shows the game where there is no room beside the list; the browser's way back leads to the list. */
function open() {
  if (!narrow.matches || isOpen()) return;
  document.body.classList.add("open");
  cover();
  hashBefore = location.hash;
  inHistory(() => history.pushState("open", ""));
  showPosition(view.position);
  $("close").focus({ preventScroll: true });
}

function close() {
  if (!isOpen()) return;
  if (history.state === "open") history.back();
  else showList();
}

function showList() {
  document.body.classList.remove("open");
  cover();
  stop();
  if (view.match) reveal(view.match);
  grid.focus({ preventScroll: true });
}

addEventListener("popstate", () => {
  if (history.state === "open" || !isOpen()) return;
  showList();
  // The address is again what it was before. The match that was looked at last stays, unless somebody has written another address.
  if (location.hash === hashBefore && view.match) nameInAddress(view.match);
});

/** Changes the history of the browser, where it lets the page. */
function inHistory(change) {
  try {
    change();
  } catch {
    // In the panel of an editor, for example, there is none.
  }
}

// ---- the address

let linkTimer = 0;

/** Names a match in the address, but not each of many that are gone through in a hurry. */
function remember(match) {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(() => nameInAddress(match), 250);
}

function nameInAddress(match) {
  inHistory(() => history.replaceState(history.state, "", `#${match.game.number}.${match.id}`));
}

/** Selects the match that the address names. */
function follow() {
  const match = matches.find(({ game, id }) => location.hash === `#${game.number}.${id}`);
  if (match && match !== view.match) select(match);
  return match;
}

addEventListener("hashchange", follow);

// ---- the clipboard

let toastTimer = 0;

function say(text) {
  $("toast").textContent = text;
  $("toast").classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $("toast").classList.remove("on"), 1600);
}

async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Where pages may not write to the clipboard, a selection still can be copied.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (!isCopied) return say("The browser does not let this page copy.");
  }
  say(`${name} copied`);
}

// ---- light and dark

function changeTheme() {
  const root = document.documentElement;
  const isDark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("skewer-theme", root.dataset.theme);
  } catch {
    // A page that may not keep anything forgets it.
  }
}

// ---- keys and buttons

const actions = {
  ArrowRight: () => walk(1),
  ArrowLeft: () => walk(-1),
  ArrowDown: () => step(1),
  j: () => step(1),
  ArrowUp: () => step(-1),
  k: () => step(-1),
  PageDown: () => step(5),
  PageUp: () => step(-5),
  Home: () => step(-shown.length),
  End: () => step(shown.length),
  "<": () => walk(-Infinity),
  ">": () => walk(Infinity),
  m: () => view.match && select(view.match, false),
  " ": play,
  "/": () => $("filter").focus(),
  c: () => view.match && copy(view.position.fen, "FEN"),
  p: () => view.match && copy(pgnOf(view.match.game), "PGN"),
  f: flip,
  h: hide,
  t: changeTheme,
  Enter: () => view.match && open(),
  Escape: close,
  "?": () => $("help").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { key, target } = event;
  if (target === $("filter")) {
    if (key === "Escape") {
      $("filter").value = "";
      choose();
    }
    if (key === "Escape" || key === "Enter") grid.focus({ preventScroll: true });
    if (key !== "ArrowDown" && key !== "ArrowUp") return;
  }
  if ((key === " " || key === "Enter") && target.closest("button, summary")) return;
  const action = actions[key];
  if (action) {
    event.preventDefault();
    action();
  }
});

const buttons = {
  before: actions.k,
  after: actions.j,
  first: actions["<"],
  back: actions.ArrowLeft,
  next: actions.ArrowRight,
  last: actions[">"],
  play,
  flip,
  fen: actions.c,
  pgn: actions.p,
  hide,
  theme: changeTheme,
  keys: actions["?"],
  close,
};
for (const [id, action] of Object.entries(buttons)) $(id).addEventListener("click", action);

$("columns").addEventListener("click", (event) => {
  const button = event.target.closest("button[data-column]");
  if (button) sortBy(columns[button.dataset.column]);
});
rows.addEventListener("click", (event) => {
  const row = event.target.closest(".match");
  if (!row) return;
  stop();
  select(matches[row.dataset.place], false);
  open();
});
$("moves").addEventListener("click", (event) => {
  const move = event.target.closest(".san");
  if (!move) return;
  stop();
  go(positionsOf(view.match.game)[move.dataset.id]);
});
$("filter").addEventListener("input", choose);
addEventListener("scroll", draw, { passive: true });
new ResizeObserver(layOut).observe(grid);
addEventListener("resize", draw);
addEventListener("beforeprint", print);
addEventListener("afterprint", endPrint);

/** Says how much was found. */
function sayFound() {
  $("found").textContent = `${plural(matches.length, "position")} in ${plural(games.length, "game")}; ${plural(totals.games, "game")} searched`;
}

try {
  const theme = localStorage.getItem("skewer-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // See changeTheme.
}
