import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Library } from "./library";

const OLD_AFTER_MS = 2000;
/** A listing that takes longer shows in the next answer. */
const WAIT_MS = 150;

type ListedLibrary = Pick<Library, "catalog" | "scanner">;

/**
 * The catalogue for an answer that lists: looked at again when it is older than two seconds, so a
 * reload shows new sessions. Nothing is read between requests. A listing that fails fails the answer; one that fails
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

function isOutdated({ listed, ageMs }: Catalog): boolean {
  return listed && ageMs > OLD_AFTER_MS;
}

/** Lists, and reads what is new of it behind that. */
async function listAgain({ catalog, scanner }: ListedLibrary): Promise<void> {
  await catalog.list();
  scanner.run().catch((error: unknown) => console.error("Reading the library failed:", error));
}

function reportListing(error: unknown): void {
  console.error("Listing the logs failed:", error);
}
