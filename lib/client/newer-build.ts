import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners";

/*
 * A page outlives its server, and the one that is started in its place may be of another build: what it answers may then
 * mean something else than this page takes it for.
 */

const listeners = new Listeners();
let answering: string | null = null;

/** Notes which build answers; `undefined` for one that does not say it. */
export function noteBuild(build: string | undefined): void {
  if (build === undefined || build === answering) return;
  answering = build;
  listeners.tell();
}

/** Whether this page is of another build than the server that answers it. */
export function useIsOutdated(): boolean {
  return useSyncExternalStore(listeners.add, isOutdated, () => false);
}

/** A document says of which build it is, unless it is that of a development server, or a file. */
function isOutdated(): boolean {
  const own = document.documentElement.dataset.build;
  return own !== undefined && own !== "" && answering !== null && answering !== own;
}
