// The beginning of a page that holds its games itself, in two lines for each: an object with its tags, moves and matches, then its PGN.

const MEGABYTE = 1e6;

/** Says of a page that is slow to open how to make a smaller one. */
function warnOfSize() {
  const size = $("data").textContent.length;
  if (size < totals.large) return;
  const few = rounded((games.length * totals.large) / size);
  $("size").innerHTML =
    `This page has ${number(Math.ceil(size / MEGABYTE))} MB, and browsers are slow to open it. Search with <code>-n ${few}</code> ` +
    `for a smaller one: it ends after ${number(few)} games.`;
  $("size").hidden = false;
}

/** Rounded down to two digits, and at least 1. */
function rounded(count) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.max(1, Math.floor(count / unit) * unit);
}

const lines = $("data").textContent.split("\n");
for (let at = 1; at + 1 < lines.length; at += 2) addGame(JSON.parse(lines[at]), lines[at + 1]);
sayFound();
warnOfSize();
writeColumns();
choose();
if (follow()) open();
