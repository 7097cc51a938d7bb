// All words of the page, so that a translation only needs this file.

import type { ActionName, ResultsWords } from "./results/frame.ts";

const number = (count: number) => count.toLocaleString("en");
const plural = (count: number, word: string) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

const ROLES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn", a: "piece" };

/** Returns a set of pieces in words: `white rook or black rook`. */
function pieces(letters: string): string {
  const isNot = letters.startsWith("~");
  const names = [...letters.replace("~", "")].map((letter) => {
    if (letter === "_") return "empty";
    const role = letter.toLowerCase();
    return `${role === "a" ? "any " : ""}${letter < "a" ? "white" : "black"} ${ROLES[role]}`;
  });
  const text = letters === "Aa" || letters === "aA" ? "any piece" : names.join(" or ");
  return isNot ? `not ${text}` : text;
}

const actions: [ActionName, string, string][] = [
  ["similar", "More like this", "Set this position up on the board, to find games with the same pawns"],
  ["why", "Why?", "Say which filters decide at this position (w)"],
  ["match", "Must match", "Add this position to the query as an example that must match"],
  ["no match", "Must not", "Add this position to the query as an example that must not match"],
];

const resultsWords: ResultsWords = {
  searching: "Searching …",
  none: "What a query finds stands here.",
  print: "Print",
  printTitle: "Print the positions that are listed as diagrams",
  heading: "Heading",
  diagrams: "On each sheet",
  perSheet: (count) => `${count} diagrams`,
  solutionsBehind: "Solutions behind them, not beside them",
  close: "Close",
};

export const WORDS = {
  firstQuery: "// A rook or bishop looks through a man at the king behind it.\nflipcolor xray([RB] a k)\n",
  loading: "Loading skewer …",
  cannotStart: "This browser cannot run skewer: it needs WebAssembly and workers.",
  failed: "Something went wrong.",
  searching: resultsWords.searching,
  brokenOff: "The search has broken off.",
  tooMuchAtOnce: "This query needs all games at once, and these are too many for a page. Search them with the command.",
  noServer: "`skewer ui` does not answer. Is it still running?",
  inputsAreGiven: "The games are those that `skewer ui` was started with.",
  refused: (status: number) => `The server has refused this (${status}).`,
  isZip: (name: string) => `${name} is a ZIP file. Unpack it first.`,
  isDatabase: (name: string) => `${name} is a database. Search it with the command, or with skewer ui.`,
  isDamaged: (name: string) => `${name} is damaged: it cannot be unpacked.`,
  isTooLarge: (name: string) => `${name} is too large for a page. Search it with the command.`,
  theme: "Light or dark",
  linkCopied: "Link copied. It shares the query, not the games.",
  linkInAddress: "The browser does not let this page copy. The link is in the address now.",
  exampleAdded: "The example is in the query now, and is tried at once.",
  bytes: (count: number) => (count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} kB` : `${(count / 1e6).toFixed(1)} MB`),
  found: (positions: number, games: number) => `${plural(positions, "position")} in ${plural(games, "game")}`,
  foundIn: (positions: number, games: number, searched: number) => `${plural(positions, "position")} in ${plural(games, "game")} of ${number(searched)}.`,

  warningCount: (count: number) => `${plural(count, "warning")} about the games`,
  messages: (count: number) => plural(count, "message"),
  warning: (source: string, line: number, message: string) => `${source}${line ? `:${line}` : ""}: ${message}`,
  noGames: (names: string) => `There are no games in ${names}: is it PGN?`,
  timeIsOver: "The time for a search was over; this is a part.",

  narrow: { title: "Parts of the page", ask: "Query", answer: "Results" },
  tabs: { left: "Ways to a query", right: "Answers", board: "Board", library: "Library", games: "Games", history: "History", results: "Results", stats: "Statistics", explain: "Plan", why: "Why" },

  query: {
    title: "Query",
    editor: "Query in CQL. Escape, then Tab, leaves the editor.",
    placeholder: "Set something up on the board, choose from the library, or write CQL: mate",
    search: "Search",
    pressSearch: "Press Search to see what this finds.",
    format: "Format",
    link: "Copy link",
    save: "Save .cql",
    clear: "Clear",
    more: (count: number) => `(and ${number(count)} more)`,
  },

  board: {
    grid: "Board. Arrow keys move; K, Q, R, B, N, P put a white piece, k, q, r, b, n, p a black one, A or a any of that colour, . any piece, _ nothing; Delete clears.",
    palette: "Pieces",
    ways: "What a click does",
    nothing: "nothing said",
    pieces,
    arrow: (kind: string, to: string) => `${kind === "xray" ? "X-ray" : kind} to ${to}`,
    orHere: (letters: string) => `or ${pieces(letters)} here`,
    onLine: (letters: string, zone: string, isNone: boolean) => `${isNone ? "no " : ""}${pieces(letters)} on ${zone}`,
    mode: "What is said",
    modes: { must: "stands", not: "does not stand", or: "here or there" },
    reach: "Where",
    reaches: { square: "on the square", file: "on its file", rank: "on its rank", board: "on the board" },
    anyOf: "Any of …",
    anyOfTitle: "Add to what may stand on a square, in place of it",
    letters: {
      ...Object.fromEntries([..."KQRBNPAkqrbnpa"].map((letter) => [letter, pieces(letter)])),
      ".": "any piece",
      _: "empty square",
    } as Record<string, string>,
    hand: "Move",
    handTitle: "Move pieces, or drag them off the board",
    erase: "Erase",
    eraseTitle: "Say nothing of a square",
    arrowNames: { attacks: "Attacks", ray: "Ray", xray: "X-ray" },
    arrowTitles: {
      attacks: "Arrow: attacks. Click two squares, or draw with the right button",
      ray: "Arrow: a ray from one to the other, with nothing in between",
      xray: "Arrow: in line, whatever stands in between",
    },
    side: "Side to move",
    sides: { "": "Either moves", w: "White", b: "Black" },
    clear: "Clear",
    turn: "Turn",
    fen: "Position as FEN",
    width: "How closely positions must be like this one",
    widths: { exact: "exactly this", pieces: "these pieces", pawns: "these pawns, same material", files: "pawns on the same files", material: "the same material", structure: "the pawns alone" },
    widthNeedsPosition: "a position as FEN can be widened",
    showsPart: "The board shows a part of this query; the rest stays as it is.",
    showsNothing: "This query says nothing that a board can show. What you set up is added to it.",
    queryHasError: "The query has an error. Mend it, or press Clear, before you change the board.",
    moves: "Moves",
    firstMove: "First move",
    lastMove: "Last move",
    counts: "How many",
    countPieces: "Pieces, as letters",
    countZone: "Where: squares, empty for the whole board",
    wholeBoard: "board",
    least: "At least",
    most: "At most",
    on: "on",
    addCount: "Add a count",
    removeCount: (letters: string) => `Remove the count of ${letters}`,
    transforms: "Also",
    transformNames: {
      flipcolor: "colours exchanged",
      fliphorizontal: "mirrored top–bottom",
      flipvertical: "mirrored left–right",
      flip: "all reflections",
      rotate90: "rotated",
      shift: "shifted",
      shifthorizontal: "shifted sideways",
      shiftvertical: "shifted up and down",
    },
    transformTitles: {
      flipcolor: "flipcolor: the same with White and Black exchanged",
      fliphorizontal: "fliphorizontal",
      flipvertical: "flipvertical",
      flip: "flip: reflected in any way",
      rotate90: "rotate90: turned by quarters",
      shift: "shift: anywhere on the board",
      shifthorizontal: "shifthorizontal",
      shiftvertical: "shiftvertical",
    },
  },

  library: {
    find: "Find: smothered mate, isolated pawn …",
    count: (count: number) => plural(count, "query").replace("querys", "queries"),
    take: "Use this query",
    refusedHere: "not here",
    refused: (reason: string) => `It cannot be searched here: ${reason}. The command can do it.`,
    close: "Close",
    drawing: "A position that this query finds",
  },

  inputs: {
    how: "Drop PGN files on the page, paste games, or open files: .pgn, .pgn.gz, .pgn.zst. They stay on this device.",
    open: "Open PGN …",
    paste: "Paste PGN …",
    pasted: "pasted games",
    search: "Search these games",
    reading: "Reading …",
    count: (count: number) => plural(count, "file"),
    classics: "18 classic games",
  },

  options: {
    only: "Only games",
    player: "of the player",
    event: "of the event",
    years: "of the years",
    elo: "with the higher rating",
    eco: "with the opening (ECO)",
    result: "with the result",
    limit: "End after so many games",
    all: "all",
    columns: "More columns",
    columnsHint: "with commas between them: next, solution, or a name and a filter, pawns=#P",
    first: "the first match of each game only",
    variations: "search variations, too",
    live: "search while I write",
  },

  results: { title: "Results", former: "The results are those of an earlier query.", actions, words: resultsWords },
  stats: {
    title: "Statistics",
    by: "Grouped by",
    count: "Count",
    groups: (count: number) => plural(count, "group"),
    keys: { "year:10": "decades", result: "results", "eco:1": "openings", "elo:200": "ratings", player: "players", next: "the next move", "ply:20": "when", white: "White", black: "Black", event: "events" } as Record<string, string>,
    columns: { first_year: "from", last_year: "to" } as Record<string, string>,
  },
  explain: { title: "How the query is evaluated", how: "How skewer goes about this query, and what it leaves out." },
  why: {
    fen: "Position as FEN",
    ask: "Why?",
    here: "The position on the board",
    games: "All games",
    gamesTitle: "How many games each filter leaves",
    nothing: "Why does nothing match?",
    how: "Choose a game among the results, or give a position as FEN: here stands which filters decide there.",
    matches: "The position matches.",
    fails: "The position does not match.",
    after: (move: string) => `After ${move}`,
    take: "Use this query",
    part: "There was too much to note: this is a part of it.",
    tooMany: "These are the outer filters alone: there are too many to tell all of them apart.",
    funnel: { filter: "filter", games: "games", positions: "positions", without: "games without it", start: "no filter yet" },
    states: { unasked: "not asked", no: "fails", yes: "holds" },
    value: (value: unknown) => (value === null || value === true || value === false ? "" : Array.isArray(value) ? value.join(" ") || "no square" : typeof value === "object" ? "" : String(value)),
  },
  history: { none: "Queries that were searched are kept here, on this device.", clear: "Forget them" },
  help: {
    title: "Keyboard",
    close: "Close",
    keys: [
      ["Ctrl+Enter", "search"],
      ["e", "the query; Escape, then Tab, leaves it"],
      ["b", "the board"],
      ["l, g, y", "library, games, history"],
      ["r", "the results"],
      ["s, x", "statistics, plan"],
      ["w", "why does the position on the board match, or not; or why does nothing match"],
      ["Ctrl+Space", "in the query: what can stand here"],
      ["Ctrl+Shift+Space", "in the query: how a filter is used"],
      ["F8", "in the query: the next remark"],
      ["Shift+Alt+F", "in the query: format"],
      ["?", "this help"],
    ] as [string, string][],
    more: "Single letters work where you do not write. The results have keys of their own: press ? there.",
  },
};
