// The solution of a match: its marks, the moves behind it, and what the query says. It can be hidden, so that the page asks for it. No visit
// remembers that of the one before.

const PLIES = 5; // moves of both sides that are shown of those that were played
const MOST_PLIES = 12; // of those that the match refers to

let isHidden = false;

const UNMARKED = { last: [], squares: "", rays: "", moves: "", drawn: ["", ""] };

/** What is marked on the board of a position of a game, which may be a match: nothing that gives away a solution that is hidden. */
function marksOf(game, position, match) {
  if (isHidden) return { ...UNMARKED, last: match ? [] : arrival(position) };
  const [, ...drawn] = (game.drawn || []).find(([id]) => id === position.id) || [0, "", ""];
  const { squares, rays, moves } = match || UNMARKED;
  return { last: arrival(position), squares, rays, moves, drawn };
}

/** A small or large board of a match. */
function boardOfMatch(match, turned, isLarge) {
  const position = positionsOf(match.game)[match.id];
  return drawing(position, marksOf(match.game, position, match), turned, isLarge);
}

/** Who is to move. */
const moverOf = ({ game, id }) => (turnOf(positionsOf(game)[id]) === "w" ? "White to move" : "Black to move");

/** What the query says of a position. */
function saidOf(game, id) {
  const said = (game.said || []).filter(([at]) => at === id).map(([, words]) => words);
  return spoken(said, id);
}

/** The solution as a line of text, as a sheet to hand out has it (see solution.rs): what the page was given, else the moves that were played. */
function solutionOf(match) {
  if (match.solution !== null) return match.solution;
  const { game } = match;
  const sans = new Map(scoreOf(game).map((item) => [item.position, item.san]));
  const line = [];
  for (let here = positionsOf(game)[match.id].children[0]; here && line.length < MOST_PLIES; here = here.children[0]) line.push(here);
  const spokenOf = match.line ? line.findIndex((position) => position.id === match.line[1]) + 1 : 0;
  const played = line.slice(0, Math.max(PLIES, spokenOf));
  const words = played.map((position, index) => (index === 0 || turnOf(position) === "b" ? numberOf(position) : "") + sans.get(position));
  const last = played.at(-1) ?? positionsOf(game)[match.id];
  const isMain = wayTo(last).every((position) => !position.before || position.before.children[0] === position);
  if (isMain && !last.children.length && game.result && game.result !== "*") words.push(game.result);
  return words.join(" ");
}

/** Those of the moves of a game that may be seen: while the solution is hidden, those to the match, or further to the position that is shown. */
function seen(items, match, position) {
  if (!isHidden) return items;
  const there = positionsOf(match.game)[match.id];
  const way = wayTo(position);
  const moves = new Set(way.includes(there) ? way : wayTo(there));
  return items.filter((item) => moves.has(item.position)).map((item) => ({ ...item, nags: [] }));
}

/** Hides the solutions, or shows them. */
function hide() {
  isHidden = !isHidden;
  $("hide").setAttribute("aria-pressed", isHidden);
  document.body.classList.toggle("asks", isHidden);
  redraw();
  if (!view.match) return;
  stop();
  if (isHidden) view.position = positionsOf(view.match.game)[view.match.id];
  showGame();
  showPosition(view.position);
}
