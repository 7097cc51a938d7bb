// What is printed: the matches as diagrams, so many on a sheet of paper. Where the solutions are hidden they are printed behind them.

const PRINTED = 500; // diagrams, at most

/** Draws for the printer what fits on paper. */
function print() {
  const printed = shown.slice(0, PRINTED);
  const count = Math.ceil(printed.length / totals.per_page);
  const pages = [...new Array(count).keys()].map((page) => {
    const first = page * totals.per_page;
    const label = page === 0 ? labelOf(printed) : "";
    const figures = printed.slice(first, first + totals.per_page).map((match, index) => figureOf(match, first + index + 1));
    const top = `<div class="top"><p class="heading">${html(printedTitle())}</p><span>${html(label)} ${page + 1} / ${count}</span></div>`;
    return `<section class="paper">${top}<div class="diagrams">${figures.join("")}</div></section>`;
  });
  $("sheet").className = `sheet per-${totals.per_page}`;
  $("sheet").innerHTML = pages.join("") + (isHidden ? solutionsOf(printed) : "");
}

function endPrint() {
  $("sheet").innerHTML = "";
}

/** The title, unless it is the name of a query, which may give away what is hidden. */
function printedTitle() {
  const title = document.querySelector("h1");
  return isHidden && !title.classList.contains("own") ? totals.neutral_title : title.textContent;
}

/** How much was found, and how much of that is printed. */
function labelOf(printed) {
  const found = isHidden ? "" : $("found").textContent + ".";
  const some = printed.length < shown.length ? `The first ${PRINTED} of ${number(shown.length)}; a filter finds the others.` : "";
  return [found, some].filter(Boolean).join(" ");
}

function figureOf(match, place) {
  const { game } = match;
  const players = [game.white, game.black].some(known) ? [game.white, game.black].map((name) => known(name) || "?").join(" – ") : "";
  const who = [players, yearOf(game)].filter(Boolean).join(", ");
  const how = isHidden ? "" : [...new Set([match.move, solutionOf(match)])].filter(Boolean).join(" · ");
  return (
    `<figure><figcaption><b>${place}</b> ${moverOf(match)}</figcaption>${boardOfMatch(match, view.isTurned, true)}` +
    `<p class="who">${html(who)}</p><p class="how">${html(how)}</p></figure>`
  );
}

function solutionsOf(printed) {
  const solutions = printed.map((match, index) => {
    const words = saidOf(match.game, match.id).map((words) => `<span class="said">${html(words)}</span>`);
    return `<li><b>${index + 1}</b> ${[html(solutionOf(match)), ...words].join(" ")}</li>`;
  });
  return printed.length ? `<section class="paper solutions"><h2>Solutions</h2><ol>${solutions.join("")}</ol></section>` : "";
}
