import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Health } from "@/lib/wire/library";
import type { ServerState } from "./state";

/** How far reading the logs has come, and what could not be read. */
export function toHealth({ catalog, index, scanner, live, archive, config, warnings }: ServerState): Health {
  const phase = !catalog.listed ? "listing" : scanner.busy ? "scanning" : "done";
  return {
    version: config.version,
    indexing: { phase, ...catalog.totals(), done: phase === "done" },
    watching: live.coverage,
    warnings: [...catalog.warnings, ...index.state.warnings, ...archive.warnings, ...warnings],
    roots: config.roots.map((root) => root.path),
    demo: config.demo,
    access: { kind: "owner" },
  };
}

const OLD_AFTER_MS = 2000;
/** A listing that takes longer shows in the next answer. */
const WAIT_MS = 150;

/**
 * The catalogue for an answer that lists: looked at again when it is older than two seconds, so a
 * reload shows new sessions. Nothing is read between requests.
 */
export async function freshCatalog({ catalog, scanner }: ServerState): Promise<Catalog> {
  if (catalog.listed && catalog.ageMs > OLD_AFTER_MS) {
    const listing = catalog.list().then(() => void scanner.run());
    await Promise.race([listing, sleep(WAIT_MS, undefined, { ref: false })]);
  }
  return catalog;
}
