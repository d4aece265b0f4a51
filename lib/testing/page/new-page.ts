import { afterAll, vi } from "vitest";

/** Vitest's own record of the modules that are replaced. */
type Mocker = {
  reset(): void;
  evaluatedModules: { idToModuleMap: Map<string, unknown> };
  /** Of a module that was replaced, forgets what it was replaced by. */
  invalidateModuleById(id: string): void;
};

// oxlint-disable no-underscore-dangle -- Vitest has no other way to its record
declare global {
  /** Vitest empties it by itself only for a test that has a process of its own. */
  var __vitest_mocker__: Mocker;
}

const REPLACED = "mock:";

// For each test file that shares its process with others: a page of its own, whose modules begin anew, and none of them
// is replaced by what an earlier file has put in its place.
await globalThis.openPage?.();
const mocker = globalThis.__vitest_mocker__;
// oxlint-enable no-underscore-dangle
for (const id of mocker.evaluatedModules.idToModuleMap.keys())
  if (id.startsWith(REPLACED)) mocker.invalidateModuleById(id.slice(REPLACED.length));
mocker.reset();
vi.resetModules();

// What the file's page still loads would come among the modules of the next.
afterAll(() => vi.dynamicImportSettled());
