"use strict";
// The page of a search: a table of its matches, of which only what is near the window is drawn, and the selected match large.
// The data are in two lines for each game: an object with its tags and matches, then its PGN as a string, which is not
// looked at before somebody asks for it.
(() => {
  const CHUNK = 10; // rows that are drawn together
  const PRINTED = 500; // rows, at most
  const SIDE = 45; // of a square
  const $ = (id) => document.getElementById(id);
  const html = (text) => String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const number = (n) => n.toLocaleString("en");
  const plural = (n, word) => number(n) + " " + word + (n === 1 ? "" : "s");

  // ---- data

  const lines = $("data").textContent.split("\n");
  const totals = JSON.parse($("totals").textContent);
  const matches = [];
  let games = 0;
  for (let at = 1; at + 1 < lines.length; at += 2) {
    const game = JSON.parse(lines[at]);
    game.pgn = at + 1;
    games += 1;
    for (const [id, fen, move, last, squares, rays, moves] of game.matches) {
      matches.push({ game, id, fen, move, last, squares, rays, moves, place: matches.length });
    }
  }
  const known = (value) => (value && value !== "?" ? value : "");
  const year = (game) => (/^\d{4}/.exec(game.date || "") || [""])[0];
  const result = (game) => (game.result || "*").replace("1/2-1/2", "½–½").replace("-", "–");
  const turn = (match) => match.fen.split(" ")[1];
  const ply = (match) => {
    const [, moves, isBlack] = /^(\d+)(\.\.\.)?/.exec(match.move) || [null, 0, ""];
    return 2 * Number(moves) + (isBlack ? 1 : 0);
  };
  const title = (match) => match.move || "start";
  const compare = new Intl.Collator("en", { sensitivity: "base", numeric: true }).compare;

  // ---- boards

  const places = (text) => text.match(/[a-h][1-8]/g) || [];
  const pairs = (text) => text.match(/[a-h][1-8][a-h][1-8]/g) || [];

  function corner(square, turned) {
    const x = (square.charCodeAt(0) - 97) * SIDE;
    const y = (56 - square.charCodeAt(1)) * SIDE;
    return turned ? [315 - x, 315 - y] : [x, y];
  }

  /// The men of a FEN; a pocket follows the board in brackets, and `~` a piece that was a pawn.
  function men(fen) {
    const found = [];
    fen.split(/[ []/)[0].replaceAll("~", "").split("/").forEach((rank, row) => {
      let file = 0;
      for (const letter of rank) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else found.push([letter, "abcdefgh"[file++] + (8 - row)]);
      }
    });
    return found;
  }

  /// An arrow between the middles of two squares; its tip does not reach below a man that it points at.
  function arrow(kind, pair, occupied, turned) {
    const [x1, y1] = corner(pair.slice(0, 2), turned).map((n) => n + SIDE / 2);
    const [x2, y2] = corner(pair.slice(2), turned).map((n) => n + SIDE / 2);
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (!length) return "";
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const point = (along, aside) => (x1 + dx * along - dy * aside).toFixed(1) + " " + (y1 + dy * along + dx * aside).toFixed(1);
    const tip = length - (occupied.has(pair.slice(2)) ? 13 : 4);
    const neck = tip - 15;
    return `<g class="${kind}"><path d="M${point(0, 0)}L${point(neck, 0)}"/><polygon points="${point(tip, 0)} ${point(neck, 8.5)} ${point(neck, -8.5)}"/></g>`;
  }

  function coordinates(turned) {
    let text = "";
    for (let i = 0; i < 8; i += 1) {
      const [file, rank] = turned ? ["hgfedcba"[i], i + 1] : ["abcdefgh"[i], 8 - i];
      text += `<text class="coordinate${i % 2 ? "" : " on-dark"}" x="${i * SIDE + SIDE - 7.5}" y="357">${file}</text>`;
      text += `<text class="coordinate${i % 2 ? " on-dark" : ""}" x="2.5" y="${i * SIDE + 10.5}">${rank}</text>`;
    }
    return text;
  }

  function board(match, turned, large) {
    const placed = men(match.fen);
    const occupied = new Set(placed.map(([, square]) => square));
    const at = (square) => {
      const [x, y] = corner(square, turned);
      return `x="${x}" y="${y}" width="${SIDE}" height="${SIDE}"`;
    };
    const marked = (square) => {
      const [x, y] = corner(square, turned);
      return `<rect class="sq" x="${x + 2}" y="${y + 2}" width="41" height="41" rx="5"/>`;
    };
    const man = ([letter, square]) => {
      const kind = letter.toLowerCase();
      return `<use href="#skewer-${kind}" class="${letter === kind ? "b" : "w"}" ${at(square)}/>`;
    };
    return (
      `<svg class="position" viewBox="0 0 360 360" role="img" aria-label="${html(described(match, large))}"><use href="#board" width="360" height="360"/>` +
      places(match.last).map((square) => `<rect class="last" ${at(square)}/>`).join("") +
      places(match.squares).map(marked).join("") +
      (large ? coordinates(turned) : "") +
      pairs(match.rays).map((pair) => arrow("ray", pair, occupied, turned)).join("") +
      pairs(match.moves).map((pair) => arrow("mv", pair, occupied, turned)).join("") +
      placed.map(man).join("") +
      "</svg>"
    );
  }

  function described(match, large) {
    let text = `Board after ${title(match)}, ${turn(match) === "w" ? "White" : "Black"} to move.`;
    if (!large) return text;
    const listed = (isWhite) =>
      men(match.fen)
        .filter(([letter]) => (letter !== letter.toLowerCase()) === isWhite)
        .map(([letter, square]) => letter.toUpperCase().replace("P", "") + square)
        .join(" ");
    text += ` White: ${listed(true)}. Black: ${listed(false)}.`;
    if (match.squares) text += ` Highlighted: ${places(match.squares).join(", ")}.`;
    return text;
  }

  // ---- table

  const columns = [
    { id: "number", name: "#", value: (m) => number(m.place + 1), order: (a, b) => a.place - b.place },
    { id: "thumb", name: "", value: (m) => board(m, turned, false) },
    {
      id: "players",
      name: "Players",
      value: (m) => player(m.game, "w") + player(m.game, "b"),
      order: (a, b) => compare(a.game.white || "", b.game.white || "") || compare(a.game.black || "", b.game.black || ""),
    },
    {
      id: "event",
      name: "Event",
      value: (m) => `<span class="two">${html(known(m.game.event))}</span><span class="small one">${html(site(m.game))}</span>`,
      order: (a, b) => compare(known(a.game.event), known(b.game.event)) || compare(a.game.date || "", b.game.date || ""),
    },
    { id: "date", name: "Year", value: (m) => html(year(m.game)), order: (a, b) => compare(a.game.date || "", b.game.date || "") },
    { id: "result", name: "Result", value: (m) => html(result(m.game)), order: (a, b) => compare(a.game.result || "", b.game.result || "") },
    { id: "move", name: "Move", value: (m) => html(title(m)), order: (a, b) => ply(a) - ply(b) },
  ];
  totals.sort.forEach((name, key) => {
    const value = (m) => m.game.sort[key];
    columns.push({
      id: "key",
      name,
      value: (m) => html(value(m) ?? ""),
      order: (a, b) => compare(String(value(a) ?? ""), String(value(b) ?? "")),
    });
  });

  function player(game, color) {
    const [name, elo] = color === "w" ? [game.white, game.white_elo] : [game.black, game.black_elo];
    const rating = elo ? `<span class="small">${html(elo)}</span>` : "";
    return `<span class="name ${color}-side"><span class="text">${html(known(name) || "?")}</span>${rating}</span>`;
  }

  function site(game) {
    const place = known(game.site);
    return place && place !== game.event && !/^https?:/.test(place) ? place : "";
  }

  const table = $("table");
  let turned = false;
  let sorted = { column: columns[0], down: false };
  let shown = matches; // those that the filter lets through, in order
  let selected = null;
  const nearby = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) fill(target);
        else empty(target);
      }
    },
    { rootMargin: "1000px 0px" },
  );

  /// The rows of a chunk.
  function fill(body) {
    if (!body.classList.contains("waiting")) return;
    const first = Number(body.dataset.first);
    const rows = shown.slice(first, first + CHUNK).map((match, index) => {
      const cells = columns.map((column) => `<td class="${column.id}">${column.value(match)}</td>`).join("");
      const chosen = match === selected;
      return `<tr class="match" id="match-${match.place}" data-place="${match.place}" aria-rowindex="${first + index + 2}" aria-selected="${chosen}">${cells}</tr>`;
    });
    body.innerHTML = rows.join("");
    body.classList.remove("waiting");
  }

  /// Room for the rows of a chunk; in one cell, as columns that a narrow window hides would take room if it spanned them.
  function empty(body) {
    body.classList.add("waiting");
    body.innerHTML = `<tr aria-hidden="true"><td></td></tr>`;
  }

  function layOut() {
    nearby.disconnect();
    for (const body of table.querySelectorAll("tbody")) body.remove();
    const bodies = document.createDocumentFragment();
    for (let first = 0; first < shown.length; first += CHUNK) {
      const body = document.createElement("tbody");
      body.dataset.first = first;
      body.style.setProperty("--n", Math.min(CHUNK, shown.length - first));
      empty(body);
      bodies.append(body);
    }
    table.append(bodies);
    table.setAttribute("aria-rowcount", shown.length + 1);
    table.hidden = shown.length === 0;
    $("nothing").hidden = shown.length > 0;
    $("nothing").textContent = matches.length ? "Nothing fits this filter." : "No position matches.";
    $("shown").textContent = shown.length < matches.length ? `${number(shown.length)} of ${number(matches.length)}` : "";
    for (const body of table.tBodies) nearby.observe(body);
    if (table.tBodies.length) fill(table.tBodies[0]);
  }

  function writeColumns() {
    $("columns").innerHTML = columns
      .map((column, index) => {
        const isSorted = column === sorted.column;
        const order = isSorted ? ` aria-sort="${sorted.down ? "descending" : "ascending"}"` : "";
        const label = column.order ? `<button type="button" data-column="${index}">${html(column.name)}</button>` : "";
        return `<th scope="col" class="${column.id}"${order}${column.id === "thumb" ? ' aria-label="Board"' : ""}>${label}</th>`;
      })
      .join("");
  }

  function choose() {
    const words = plain($("filter").value).split(/\s+/).filter(Boolean);
    const fits = (match) => {
      match.text ??= plain(
        [match.game.white, match.game.black, match.game.event, match.game.site, match.game.date, match.game.result, match.game.eco, match.move]
          .filter(Boolean)
          .join(" "),
      );
      return words.every((word) => match.text.includes(word));
    };
    shown = words.length ? matches.filter(fits) : matches.slice();
    if (sorted.column !== columns[0] || sorted.down) {
      const sign = sorted.down ? -1 : 1;
      shown.sort((a, b) => sign * sorted.column.order(a, b) || a.place - b.place);
    }
    layOut();
    if ($("matches").getBoundingClientRect().top < 0) $("matches").scrollIntoView();
    if (shown.length && !shown.includes(selected)) select(shown[0], false);
  }

  // ---- the selected match

  let linkTimer = 0;

  function select(match, scroll = true) {
    selected = match;
    for (const row of table.querySelectorAll('[aria-selected="true"]')) row.setAttribute("aria-selected", "false");
    if (scroll) {
      const place = shown.indexOf(match);
      const body = table.tBodies[Math.floor(place / CHUNK)];
      if (body) fill(body);
    }
    const row = $("match-" + match.place);
    if (row) {
      row.setAttribute("aria-selected", "true");
      table.setAttribute("aria-activedescendant", row.id);
      if (scroll) row.scrollIntoView({ block: "nearest" });
    }
    show(match);
    clearTimeout(linkTimer);
    linkTimer = setTimeout(() => history.replaceState(null, "", `#${match.game.number}.${match.id}`), 250);
  }

  function show(match) {
    const { game } = match;
    const sides = turned ? ["w", "b"] : ["b", "w"];
    ["upper", "lower"].forEach((id, index) => {
      const moves = turn(match) === sides[index] ? '<span class="turn">to move</span>' : "";
      $(id).innerHTML = player(game, sides[index]) + moves;
    });
    $("large").innerHTML = board(match, turned, true);
    $("move").textContent = match.move ? `after ${match.move}` : "initial position";
    const date = (game.date || "").replace(/\.\?\?/g, "").replace(/\?/g, "");
    const facts = [[known(game.event), site(game)].filter(Boolean).join(", "), date, game.eco, result(game)];
    totals.sort.forEach((name, key) => facts.push(`${name}: ${game.sort[key] ?? "none"}`));
    facts.push(`game ${game.number}, position ${match.id}`);
    $("facts").textContent = facts.filter(Boolean).join(" · ");
    const legend = [
      ["last", match.last, "last move"],
      ["sq", match.squares, "squares of the match"],
      ["ray", match.rays, "lines of sight"],
      ["mv", match.moves, "moves of the match"],
    ];
    $("legend").innerHTML = legend
      .filter(([, text]) => text)
      .map(([kind, , name]) => `<span class="${kind}">${name}</span>`)
      .join("");
    $("detail").hidden = false;
  }

  function step(by) {
    const place = shown.indexOf(selected) + by;
    const match = shown[Math.max(0, Math.min(shown.length - 1, place))];
    if (match) select(match);
  }

  // ---- what can be done

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
      const copied = document.execCommand("copy");
      area.remove();
      if (!copied) return say("The browser does not let this page copy.");
    }
    say(`${name} copied`);
  }

  const actions = {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    PageDown: () => step(5),
    PageUp: () => step(-5),
    Home: () => step(-shown.length),
    End: () => step(shown.length),
    "/": () => $("filter").focus(),
    c: () => selected && copy(selected.fen, "FEN"),
    p: () => selected && copy(JSON.parse(lines[selected.game.pgn]), "PGN"),
    f: flip,
    t: changeTheme,
    "?": () => $("help").showModal(),
  };

  function flip() {
    turned = !turned;
    for (const body of table.tBodies) {
      if (!body.classList.contains("waiting")) {
        empty(body);
        fill(body);
      }
    }
    if (selected) show(selected);
  }

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

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    if (event.target === $("filter")) {
      if (event.key === "Escape") {
        $("filter").value = "";
        choose();
      }
      if (event.key === "Escape" || event.key === "Enter") table.focus({ preventScroll: true });
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    }
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tr.match");
    if (row) return select(matches[row.dataset.place], false);
    const button = event.target.closest("button[data-column]");
    if (!button) return;
    const column = columns[button.dataset.column];
    sorted = { column, down: sorted.column === column && !sorted.down };
    writeColumns();
    choose();
    $("columns").querySelector(`[data-column="${columns.indexOf(column)}"]`).focus();
  });
  $("filter").addEventListener("input", choose);
  $("before").addEventListener("click", () => step(-1));
  $("after").addEventListener("click", () => step(1));
  $("fen").addEventListener("click", actions.c);
  $("pgn").addEventListener("click", actions.p);
  $("flip").addEventListener("click", flip);
  $("theme").addEventListener("click", changeTheme);
  $("keys").addEventListener("click", actions["?"]);
  addEventListener("beforeprint", () => {
    nearby.disconnect();
    for (const [index, body] of [...table.tBodies].entries()) {
      if (index * CHUNK < PRINTED) fill(body);
      else empty(body);
    }
    const isCut = shown.length > PRINTED;
    $("printed").textContent = isCut ? `The first ${PRINTED} of ${number(shown.length)}; a filter finds the others.` : "";
  });
  addEventListener("afterprint", () => {
    for (const body of table.tBodies) nearby.observe(body);
  });
  addEventListener("hashchange", follow);

  /// Selects the match that the address names.
  function follow() {
    const match = matches.find((m) => location.hash === `#${m.game.number}.${m.id}`);
    if (match && match !== selected) select(match);
    return match;
  }

  try {
    const theme = localStorage.getItem("skewer-theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // See changeTheme.
  }
  $("found").textContent = `${plural(matches.length, "position")} in ${plural(games, "game")}; ${plural(totals.games, "game")} searched`;
  writeColumns();
  layOut();
  if (!follow() && matches.length) select(matches[0], false);
})();
