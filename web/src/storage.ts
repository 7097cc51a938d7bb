// What the browser keeps for the page.

/** The storage of the browser, where pages may keep anything. */
export function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
