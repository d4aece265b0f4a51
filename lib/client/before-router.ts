/*
 * The router restores the page that belonged to an entry of the browser's history, and loads the page anew where it no
 * longer has that one. What keeps several entries in one page has to hear of a step through them before the router.
 * Listeners on the window are called in the order in which they came, and the router's comes when the page is first
 * drawn: this one comes when the script is read.
 */

type OnPopState = (event: PopStateEvent) => void;

let told: OnPopState | null = null;

if (typeof window !== "undefined") window.addEventListener("popstate", (event) => told?.(event));

/**
 * Tells one listener of each step through the history before the router hears of it. A later one takes its place.
 * @returns ends it
 */
export function onPopStateBeforeRouter(listener: OnPopState): () => void {
  told = listener;
  return () => {
    if (told === listener) told = null;
  };
}
