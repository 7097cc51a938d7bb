// The page as the list of a search that goes on: games are added as they are found. It stands in a frame of the front end, which speaks to
// it by `results` (see frame.ts).

const PAUSE = 150; // milliseconds between two times that the list grows

let host = null; // what the front end has given: words, and what takes actions and keys
let growing = 0; // a timer
let wanted = location.hash; // the match that a link names

/** Forgets what is there; what will be found is sorted by these values, and has these columns more. */
function begin(sort, added) {
  stop();
  games.length = matches.length = 0;
  remembered.clear();
  drawn.clear();
  rows.replaceChildren();
  totals = { ...totals, sort, columns: added, games: 0 };
  columns = columnsOf(totals);
  sorted = { column: columns[0], isDown: false };
  view.match = null;
  choose();
  writeColumns();
}

/** Forgets what is there, and expects nothing. */
function clear() {
  begin([], []);
  count(0, true);
  $("found").textContent = "";
  $("move").textContent = $("nothing").textContent = host.words.none;
}

function add(found) {
  for (const { pgn, ...game } of found) addGame(game, JSON.stringify(pgn));
  growing ||= setTimeout(grow, PAUSE);
}

/** Shows the games that have been added. */
function grow() {
  growing = 0;
  const before = shown.length;
  arrange();
  writeColumns();
  if (before === 0) layOut();
  rows.style.height = roomHeight() + "px";
  const isInOrder = shown.length === matches.length && sorted.column === columns[0] && !sorted.isDown;
  if (isInOrder) draw();
  else redraw();
  if (view.match) $("place").textContent = `${number(shown.indexOf(view.match) + 1)} of ${number(shown.length)}`;
  else if (shown.length) select(shown[0], false);
  const named = wanted && matches.find(({ game, id }) => wanted === `#${game.number}.${id}`);
  if (named) {
    wanted = "";
    select(named);
  }
  sayFound();
}

/** Says how many games have been searched so far, or in all. */
function count(searched, isOver) {
  totals.games = searched;
  if (isOver) {
    clearTimeout(growing);
    wanted = "";
    grow();
  } else sayFound();
  document.body.classList.toggle("searching", !isOver);
  document.querySelector(".print").disabled = !matches.length;
  if (!matches.length) $("move").textContent = $("nothing").textContent = isOver ? "No position matches." : host.words.searching;
}

/** Where the player stands, for what can be done with it. */
function here() {
  const { match, position } = view;
  return match && { game: match.game.number, id: position.id, fen: position.fen, pgn: pgnOf(match.game), isMatch: Boolean(matchAt(position)) };
}

function start(given) {
  host = given;
  const buttons = document.querySelector("#game .buttons");
  const extra = document.createElement("div");
  extra.className = "buttons";
  extra.id = "actions";
  for (const [name, text, title] of given.actions) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text, title });
    button.addEventListener("click", () => view.match && given.act(name, here()));
    extra.append(button);
  }
  buttons.after(extra);
  document.querySelector(".tools").prepend(sheetOf(given.words));
  showPosition(view.position);
  $("found").setAttribute("role", "status");
}

// Keys that mean nothing here may mean something to the front end.
document.addEventListener("keydown", (event) => {
  const isOwn = event.key in actions && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isOwn || document.querySelector("dialog[open]") || event.target === $("filter")) return;
  if (host?.key(event)) event.preventDefault();
});
addEventListener("storage", ({ key, newValue }) => {
  if (key === "skewer-theme") document.documentElement.dataset.theme = newValue ?? "";
});

// Files may be dropped anywhere.
const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  host?.files([...event.dataTransfer.files]);
});

writeColumns();
choose();
sayFound();
globalThis.results = { start, begin, clear, add, count, here, numbers: () => games.map((game) => game.number), follow: (hash) => (wanted = hash), focus: () => grid.focus(), open };
