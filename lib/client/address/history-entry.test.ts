// @vitest-environment page
import { beforeEach, expect, test, vi } from "vitest";

/** The module as a page that has just been loaded has it. */
async function loaded() {
  vi.resetModules();
  return import("./history-entry");
}

beforeEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, "", "/sessions/s1");
});

test("places are kept by their ground, also for the page that is loaded next", async () => {
  const before = await loaded();
  before.putEntry({ ground: "one" });
  before.keepPlace({ row: 1 });
  before.putEntry({ ground: "two" });
  expect(before.keptPlace()).toBeNull();
  before.keepPlace({ row: 2 });

  const after = await loaded();
  expect(after.keptPlace()).toEqual({ row: 2 });
  after.putEntry({ ground: "one" });
  expect(after.keptPlace()).toEqual({ row: 1 });
});

test.each(["no JSON", "{}", "[1]", "null"])("places that are %s are none", async (written) => {
  sessionStorage.setItem("backscroll.places", written);
  const { keptPlace, keepPlace, putEntry } = await loaded();
  putEntry({ ground: "one" });
  expect(keptPlace()).toBeNull();
  keepPlace({ row: 1 });
  expect(keptPlace()).toEqual({ row: 1 });
});
