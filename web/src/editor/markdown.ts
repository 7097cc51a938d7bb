// Turns text from the program into HTML that cannot run anything.

const ALLOWED = new Set("A B BLOCKQUOTE BR CODE DD DL DT EM H1 H2 H3 H4 HR I LI OL P PRE SPAN STRONG TABLE TBODY TD TH THEAD TR UL".split(" "));

/** Returns the HTML with only harmless elements. No attributes are kept except links to pages and classes for colours. */
export function cleanHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of [...body.querySelectorAll("*")]) {
    if (!ALLOWED.has(element.tagName)) {
      element.replaceWith(document.createTextNode(element.textContent ?? ""));
      continue;
    }
    const [href, classes] = [element.getAttribute("href"), element.getAttribute("class")];
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
    if (classes && element.tagName === "SPAN") element.setAttribute("class", classes);
    if (href && /^https:\/\//.test(href)) {
      element.setAttribute("href", href);
      element.setAttribute("rel", "noreferrer");
      element.setAttribute("target", "_blank");
    }
  }
  return body.innerHTML;
}
