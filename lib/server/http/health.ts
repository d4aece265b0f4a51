import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Health } from "@/lib/wire/library";
import type { Library } from "./library";

/** How far reading the logs has come, and what could not be read. */
export function toHealth(library: Library): Health {
  const { access, catalog, index, scanner, live, archive, config, warnings } = library;
  const phase = !catalog.listed ? "listing" : scanner.busy ? "scanning" : "done";
  const isOwners = access.kind === "owner";
  return {
    version: config.version,
    indexing: { phase, ...catalog.totals(), done: phase === "done" },
    watching: live.coverage,
    // Of a copy they would name its folder.
    warnings: isOwners
      ? [...catalog.warnings, ...index.state.warnings, ...archive.warnings, ...warnings]
      : [],
    roots: isOwners ? config.roots.map((root) => root.path) : [],
    demo: config.demo,
    access: isOwners ? access : { ...access, sessionId: catalog.summaries()[0]?.id ?? access.sessionId },
  };
}

const OLD_AFTER_MS = 2000;
/** A listing that takes longer shows in the next answer. */
const WAIT_MS = 150;

/**
 * The catalogue for an answer that lists: looked at again when it is older than two seconds, so a
 * reload shows new sessions. Nothing is read between requests.
 */
export async function freshCatalog({ catalog, scanner }: Library): Promise<Catalog> {
  if (catalog.listed && catalog.ageMs > OLD_AFTER_MS) {
    const listing = catalog.list().then(() => void scanner.run());
    await Promise.race([listing, sleep(WAIT_MS, undefined, { ref: false })]);
  }
  return catalog;
}
