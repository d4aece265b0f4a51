import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Library } from "./library";

const OLD_AFTER_MS = 2000;
/**
 * Listing 39,000 files takes a third of a second of processor time, and is not done more often than every five seconds. By
 * their number and not by the time that it took, which is long on a busy machine too.
 */
const FILES_A_MS = 8;
const MAX_REST_MS = 15_000;
/** A listing that takes longer shows in the next answer. */
const WAIT_MS = 150;

type ListedLibrary = Pick<Library, "catalog" | "scanner">;

/**
 * The catalogue for an answer that lists: looked at again when it is older than two seconds, or than up to fifteen where
 * it has very many files, so a reload shows new sessions also where no watch tells of them. Nothing is read between
 * requests. A listing that fails fails the answer; one that fails when the answer has gone out is reported on the
 * terminal.
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
  if (!catalog.listed || catalog.ageMs <= OLD_AFTER_MS) return false;
  return catalog.ageMs > Math.min(MAX_REST_MS, catalog.totals().filesTotal / FILES_A_MS);
}

/** Lists, and reads what is new of it behind that. */
async function listAgain({ catalog, scanner }: ListedLibrary): Promise<void> {
  await catalog.list();
  scanner.run().catch((error: unknown) => console.error("Reading the library failed:", error));
}

function reportListing(error: unknown): void {
  console.error("Listing the logs failed:", error);
}
