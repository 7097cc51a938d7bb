// The storage that the browser keeps for the page.

/** Returns the storage of the browser, if the page may use it. */
export function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
