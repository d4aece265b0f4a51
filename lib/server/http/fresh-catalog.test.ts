import { expect, it, onTestFinished, vi } from "vitest";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import { freshCatalog, renewCatalog } from "./fresh-catalog";

/** What is reported on the terminal while a test runs, a line each. */
function reports(): string[] {
  const lines: string[] = [];
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...told: unknown[]) => void lines.push(told.map(String).join(" ")));
  onTestFinished(() => spy.mockRestore());
  return lines;
}

/** A library that was listed long ago, of which the next listing and the reading behind it end like this. */
function libraryOf(list: () => Promise<void>, run: () => Promise<void>) {
  const totals = () => ({ filesTotal: 1 });
  const catalog = { listed: true, ageMs: 60_000, list, totals } as unknown as Catalog;
  return { catalog, scanner: { run } as unknown as Scanner };
}

const fails = (message: string) => () => Promise.reject(new Error(message));
const done = () => Promise.resolve();

it("reports a reading that fails behind an answer", async () => {
  const reported = reports();
  const library = libraryOf(done, fails("a bug"));
  expect(await freshCatalog(library)).toBe(library.catalog);
  renewCatalog(library);
  await vi.waitFor(() => expect(reported).toHaveLength(2));
  expect(reported).toEqual(Array(2).fill("Reading the library failed: Error: a bug"));
});

it("fails an answer whose listing fails, and reports one that fails behind it", async () => {
  const reported = reports();
  await expect(freshCatalog(libraryOf(fails("at once"), done))).rejects.toThrow("at once");
  expect(reported).toEqual([]);
  let fail: (error: Error) => void = () => undefined;
  const listing = new Promise<void>((_, reject) => (fail = reject));
  const late = libraryOf(() => listing, done);
  expect(await freshCatalog(late)).toBe(late.catalog);
  expect(reported).toEqual([]);
  fail(new Error("late"));
  await vi.waitFor(() => expect(reported).toEqual(["Listing the logs failed: Error: late"]));
});

it("reports a listing that fails where no answer waits for it", async () => {
  const reported = reports();
  renewCatalog(libraryOf(fails("a bug"), done));
  await vi.waitFor(() => expect(reported).toHaveLength(1));
  expect(reported).toEqual(["Listing the logs failed: Error: a bug"]);
});

it("lists a library of many files again less often", async () => {
  const asked = async (filesTotal: number, ageMs: number): Promise<boolean> => {
    let isListed = false;
    const list = () => {
      isListed = true;
      return Promise.resolve();
    };
    const catalog = { listed: true, ageMs, list, totals: () => ({ filesTotal }) } as unknown as Catalog;
    await freshCatalog({ catalog, scanner: { run: done } as unknown as Scanner });
    return isListed;
  };
  expect(await asked(100, 1_900)).toBe(false);
  expect(await asked(100, 2_100)).toBe(true);
  expect(await asked(40_000, 4_900)).toBe(false);
  expect(await asked(40_000, 5_100)).toBe(true);
  expect(await asked(4_000_000, 15_100)).toBe(true);
});
