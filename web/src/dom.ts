// Creates elements without a framework.

type Child = Node | string | false | null | undefined;
type Attributes = Record<string, string | boolean | number | undefined | ((event: never) => void)>;

/** Creates an element with attributes, listeners (`onclick`) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
  return element;
}

/** Returns the element with an id that is on the page. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Creates a button with a name. */
export function button(name: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", onclick, ...attributes }, name);
}

/** Creates a picture of an SVG text. */
export function drawing(svg: string, alt: string, attributes: Attributes = {}): HTMLImageElement {
  return el("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt, ...attributes });
}

/** Returns a function that calls `run` once, `wait` milliseconds after its own last call. */
export function debounced<A extends unknown[]>(run: (...args: A) => void, wait: number): (...args: A) => void {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => run(...args), wait);
  };
}
