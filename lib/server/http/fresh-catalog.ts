import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Library } from "./library";

const OLD_AFTER_MS = 2000;
/** Of a library so large that a listing takes seconds, no more than a tenth of the time is spent on listing it. */
const REST_FACTOR = 10;
const MAX_REST_MS = 15_000;
/** A listing that takes longer shows in the next answer. */
const WAIT_MS = 150;

type ListedLibrary = Pick<Library, "catalog" | "scanner">;

/** How long the last listing took that was asked for here. */
const tookMs = new WeakMap<Catalog, number>();

/**
 * The catalogue for an answer that lists: looked at again when it is older than two seconds, or than ten times what
 * that took last, up to fifteen seconds, so a reload shows new sessions also where no watch tells of them. Nothing is read between requests. A listing that fails fails the answer; one that fails
 * when the answer has gone out is reported on the terminal.
 */
export async function freshCatalog(library: ListedLibrary): Promise<Catalog> {
  const { catalog } = library;
  if (isOutdated(catalog)) {
    let isLate = false;
    const listing = listAgain(library).catch((error: unknown) => {
      if (!isLate) throw error;
      reportListing(error);
    });
    await Promise.race([listing, sleep(WAIT_MS, undefined, { ref: false })]);
    isLate = true;
  }
  return catalog;
}

/** The same for an answer that does not wait for it: changes on disk appear in the next one. Failures are reported. */
export function renewCatalog(library: ListedLibrary): void {
  if (isOutdated(library.catalog)) listAgain(library).catch(reportListing);
}

function isOutdated(catalog: Catalog): boolean {
  const restMs = Math.min(MAX_REST_MS, REST_FACTOR * (tookMs.get(catalog) ?? 0));
  return catalog.listed && catalog.ageMs > Math.max(OLD_AFTER_MS, restMs);
}

/** Lists, and reads what is new of it behind that. */
async function listAgain({ catalog, scanner }: ListedLibrary): Promise<void> {
  const beganMs = performance.now();
  await catalog.list();
  tookMs.set(catalog, performance.now() - beganMs);
  scanner.run().catch((error: unknown) => console.error("Reading the library failed:", error));
}

function reportListing(error: unknown): void {
  console.error("Listing the logs failed:", error);
}
