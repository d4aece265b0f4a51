import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { ServerState } from "./state";

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
