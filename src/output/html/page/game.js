// The game of the selected match: its board, its moves, and going through them.

const STEP = 900; // milliseconds for a move that is played
const NAMED = 4; // arrows of a kind, at most, of which the squares are named below the board

const view = { match: null, position: null, isTurned: false };
let items = []; // what the game says, see scoreOf
let scored = null; // the game that they are of
let playing = 0; // the timer of what is played

const EMPTY = { id: 0, before: null, children: [], board: new Array(64).fill(""), fen: "8/8/8/8/8/8/8/8 w - - 0 1" };

/** The match at a position of the game that is shown. */
const matchAt = (position) => view.match?.game.matches.find((match) => match.id === position.id);

/** Shows a match, with the row in the window if it is to `scroll`. */
function select(match, scroll = true) {
  view.match = match;
  if (scroll) reveal(match);
  markRow(match);
  showGame();
  go(positionsOf(match.game)[match.id]);
  remember(match);
}

/** Shows that there is nothing to show. */
function empty() {
  stop();
  view.match = null;
  scored = null;
  markRow(null);
  $("upper").innerHTML = $("lower").innerHTML = "";
  $("moves").innerHTML = $("facts").innerHTML = $("said").innerHTML = $("measures").innerHTML = $("curve").innerHTML = "";
  $("curve").hidden = true;
  $("place").textContent = "No match";
  showPosition(EMPTY);
}

// ---- the game

function showGame() {
  const { match } = view;
  const { game } = match;
  const head = [known(game.event), siteOf(game), dateOf(game)].filter(Boolean).join(", ");
  const facts = [game.eco];
  if (!isHidden) {
    facts.push(resultOf(game));
    totals.sort.forEach((name, key) => facts.push(`${name}: ${game.sort[key] ?? "none"}`));
    totals.columns.forEach((name, place) => facts.push(`${name}: ${match.values[place] ?? "none"}`));
  }
  facts.push(`game ${number(game.number)}, position ${match.id}`);
  const others = game.matches.length;
  if (others > 1) facts.push(`match ${game.matches.indexOf(match) + 1} of ${others} in this game`);
  $("facts").innerHTML = `<b>${html(head || "Game " + game.number)}</b> <span>${html(facts.filter(Boolean).join(" · "))}</span>`;
  $("place").textContent = `${number(shown.indexOf(match) + 1)} of ${number(shown.length)}`;
  if (scored !== game) {
    items = scoreOf(game);
    scored = game;
    drawCurve(game);
  }
  writeMoves();
}

/** Writes the moves, with the matching positions and the line of the match marked. */
function writeMoves() {
  const { match } = view;
  const found = new Set(match.game.matches.map((other) => other.id));
  const line = new Set(isHidden ? [] : lineOf(match));
  let needsNumber = true;
  const sign = (nag) => `<span class="nag">${html(symbolOf(nag))}</span>`;
  const written = (item) => {
    if (item.position) {
      const { position } = item;
      const isWhite = turnOf(position.before) === "w";
      const before = isWhite || needsNumber ? `<span class="no">${html(numberOf(position).replace("...", "…"))}</span>` : "";
      needsNumber = false;
      const kinds = ["san"];
      if (found.has(position.id)) kinds.push("found");
      if (line.has(position.id)) kinds.push("of-line");
      return `<span class="pair">${before}<span class="${kinds.join(" ")}" data-id="${position.id}">${html(item.san)}</span>${item.nags.map(sign).join("")}</span>`;
    }
    if (item.nag) return sign(item.nag);
    if (item.open) {
      needsNumber = true;
      return '<span class="variation">(';
    }
    if (item.close) {
      needsNumber = true;
      return ")</span>";
    }
    if (item.raw !== undefined) {
      needsNumber = true;
      return `<span class="raw" title="could not be read">${html(item.raw)}</span>`;
    }
    needsNumber ||= item.comment !== "" || item.said.length > 0;
    const own = item.comment ? [`<span class="comment">${html(item.comment)}</span>`] : [];
    return [...own, ...item.said.map((words) => `<span class="comment said">${html(words)}</span>`)].join(" ");
  };
  let text = "";
  let gap = " ";
  for (const item of seen(items, match, view.position)) {
    text += (item.close ? "" : gap) + written(item);
    gap = item.open ? "" : " ";
  }
  const start = `<span class="san start${found.has(0) ? " found" : ""}" data-id="0">Start</span>`;
  const result = isHidden ? "" : ` <span class="no">${html(resultOf(match.game))}</span>`;
  $("moves").innerHTML = `${start}${text}${result}`;
}

// ---- the position

/** Goes to a position of the game. */
function go(position) {
  const found = matchAt(position);
  if (found && found !== view.match && shown.includes(found)) {
    // On the way through a game the list goes along.
    view.match = found;
    if (!isCovered()) reveal(found);
    markRow(found);
    showGame();
    remember(found);
  }
  showPosition(position);
}

function showPosition(position) {
  view.position = position;
  const { match } = view;
  const found = match && matchAt(position);
  const marks = match ? marksOf(match.game, position, found) : UNMARKED;
  $("large").innerHTML = drawing(position, marks, view.isTurned, true);
  if (match) {
    if (isHidden) writeMoves();
    const sides = view.isTurned ? ["w", "b"] : ["b", "w"];
    ["upper", "lower"].forEach((id, index) => {
      const isToMove = turnOf(position) === sides[index];
      $(id).innerHTML = playerOf(match.game, sides[index]) + (isToMove ? '<span class="turn">to move</span>' : "");
    });
    showMove(position);
  } else {
    $("move").textContent = matches.length ? "Nothing fits this filter." : "No position matches.";
  }
  showLegend(marks);
  for (const id of ["first", "back"]) $(id).disabled = !position.before;
  for (const id of ["next", "last"]) $(id).disabled = !position.children.length;
  for (const button of document.querySelectorAll("#before, #after, #flip, #play, #game .buttons button")) button.disabled = !match;
}

/** Says which move was played, and what the query says of the position. */
function showMove(position) {
  const item = items.find((item) => item.position === position);
  const isMatch = Boolean(matchAt(position));
  const { game } = view.match;
  const move = item && numberOf(position) + item.san;
  if (isMatch && isHidden) $("move").textContent = moverOf(view.match);
  else if (move) $("move").textContent = `${isMatch ? "Match after" : "After"} ${move}`;
  else $("move").textContent = isMatch ? "Match in the initial position" : "Initial position";
  $("measures").textContent = isHidden ? "" : measuresOf(game, position.id).join(" · ");
  markCurve(game, position);
  $("said").innerHTML = (isHidden ? [] : saidOf(game, position.id))
    .map((words) => `<p>${html(words)}</p>`)
    .join("");
  const moves = $("moves");
  moves.querySelector(".here")?.classList.remove("here");
  const here = moves.querySelector(`[data-id="${position.id}"]`);
  if (!here) return;
  here.classList.add("here");
  // Not scrollIntoView: the window stays where it is.
  const [outer, inner] = [moves.getBoundingClientRect(), here.getBoundingClientRect()];
  if (inner.top < outer.top + 8) moves.scrollTop += inner.top - outer.top - 8;
  if (inner.bottom > outer.bottom - 24) moves.scrollTop += inner.bottom - outer.bottom + 24;
}

/** Says what colours and arrows on the board mean, and from where to where the arrows lead. */
function showLegend(marks) {
  const ways = (pairs, way) => {
    const all = pairsIn(pairs).map((pair) => pair.slice(0, 2) + way + pair.slice(2));
    return all.slice(0, NAMED).join(", ") + (all.length > NAMED ? " …" : "");
  };
  const kinds = [
    ["last", marks.last.length, "last move", ""],
    ["sq", marks.squares, "squares", ""],
    ["ray", marks.rays, "sees", ways(marks.rays, "→")],
    ["mv", marks.moves, "moves", ways(marks.moves, "–")],
    [colorOf(marks.drawn.join("")), marks.drawn.join(""), "drawn in the game", ""],
  ];
  $("legend").innerHTML = kinds
    .filter(([, isThere]) => isThere)
    .map(([kind, , name, which]) => `<span class="${kind}">${name}${which && ` <b>${which}</b>`}</span>`)
    .join("");
}

// ---- going through

/** Goes so many moves on, or back. */
function walk(by) {
  stop();
  if (!view.match) return;
  let here = view.position;
  for (let left = Math.abs(by); left > 0; left -= 1) {
    const there = by < 0 ? here.before : nextOf(here);
    if (!there) break;
    here = there;
  }
  go(here);
}

/** The position after the next move: on the way to the match and along its line, else the continuing one. */
function nextOf(position) {
  const { match } = view;
  const goal = positionsOf(match.game)[match.line ? Math.max(match.line[1], match.id) : match.id];
  return position.children.find((child) => wayTo(goal).includes(child)) || position.children[0];
}

/** Goes so many matches on, or back. */
function step(by) {
  stop();
  const place = Math.max(0, Math.min(shown.length - 1, shown.indexOf(view.match) + by));
  if (shown[place]) select(shown[place], !isCovered());
}

/** Where playing begins and ends: the line of the match; all matches of the game, if there are several; else from here to the end. */
function passage() {
  const { match, position } = view;
  const positions = positionsOf(match.game);
  if (match.line) return match.line.map((id) => positions[id]);
  const way = wayTo(positions[match.id]);
  const found = match.game.matches.map((other) => positions[other.id]);
  const last = found.reduce((a, b) => (wayTo(b).length > wayTo(a).length ? b : a));
  const first = wayTo(last).find((here) => found.includes(here));
  if (first !== last && way.includes(first)) return [first, last];
  return [position, null];
}

/** Plays the line of the match, move by move, or stops playing. */
function play() {
  if (playing) return stop();
  if (!view.match) return;
  const [first, last] = passage();
  const way = last && wayTo(last);
  const isInside = way && way.includes(view.position) && way.indexOf(view.position) >= way.indexOf(first) && view.position !== last;
  if (way && !isInside) go(first);
  const isOver = () => view.position === last || !view.position.children.length;
  const advance = () => {
    const next = way ? way[way.indexOf(view.position) + 1] : nextOf(view.position);
    if (next) go(next);
    if (isOver()) stop();
  };
  if (isOver()) return;
  playing = setInterval(advance, STEP);
  $("play").setAttribute("aria-pressed", "true");
}

function stop() {
  clearInterval(playing);
  playing = 0;
  $("play").setAttribute("aria-pressed", "false");
}

function flip() {
  view.isTurned = !view.isTurned;
  redraw();
  showPosition(view.position);
}
