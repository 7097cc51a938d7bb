// The light and the dark theme: the system's choice until the user makes one. The page of results keeps the choice in the same place.

import { storage } from "./storage.ts";

const KEY = "skewer-theme";

export function followTheme(): void {
  const show = (theme: string | null | undefined) => {
    if (theme) document.documentElement.dataset.theme = theme;
  };
  show(storage()?.getItem(KEY));
  addEventListener("storage", ({ key, newValue }) => key === KEY && show(newValue));
}

export function changeTheme(): void {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    // This also notifies other documents of this origin, such as the page of results.
    storage()?.setItem(KEY, root.dataset.theme);
  } catch {
    // A page without access to storage forgets the choice.
  }
}
