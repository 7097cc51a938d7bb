// Diagrams on paper: the dialog that asks how, before the browser prints.

/** A button for the head of the page, and the dialog that it opens. */
function sheetOf(words) {
  const made = (tag, values, ...children) => {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...children);
    return element;
  };
  const title = made("input", { type: "text", autocomplete: "off" });
  const counts = made("select", {}, ...[6, 9, 12].map((count) => made("option", { value: count }, words.perSheet(count))));
  const solutions = made("input", { type: "checkbox" });
  const dialog = made("dialog", { className: "sheet-dialog", ariaLabel: words.print });
  const printed = made("button", { type: "button", textContent: words.print });
  printed.addEventListener("click", () => {
    dialog.close();
    const heading = document.querySelector("h1");
    heading.textContent = title.value.trim();
    heading.classList.toggle("own", heading.textContent !== "");
    totals.per_page = Number(counts.value);
    if (isHidden !== solutions.checked) hide();
    window.print();
  });
  const close = made("button", { type: "button", textContent: words.close });
  close.addEventListener("click", () => dialog.close());
  dialog.append(
    made("label", {}, words.heading, title),
    made("label", {}, words.diagrams, counts),
    made("label", { className: "check" }, solutions, words.solutionsBehind),
    made("div", { className: "buttons" }, printed, close),
  );
  document.body.append(dialog);
  const open = made("button", { type: "button", className: "print", textContent: `${words.print} …`, title: words.printTitle });
  open.addEventListener("click", () => {
    solutions.checked = isHidden;
    counts.value = totals.per_page;
    dialog.showModal();
  });
  return open;
}

