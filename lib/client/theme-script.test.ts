// @vitest-environment page
import { runInNewContext } from "node:vm";
import { beforeEach, expect, it, vi } from "vitest";
import { readStored, writeStored } from "./storage";
import { PREFERENCES_KEY, THEME_SCRIPT } from "./theme-script";

/** A page that is loaded in a browser of this font size, with what was stored before. */
async function loaded(rootPx: number | string) {
  const { dataset } = document.documentElement;
  for (const name of ["text", "browserText"]) delete dataset[name];
  vi.spyOn(window, "getComputedStyle").mockReturnValue({ fontSize: `${rootPx}px` } as CSSStyleDeclaration);
  runInNewContext(THEME_SCRIPT, { document, localStorage, getComputedStyle: window.getComputedStyle });
  vi.resetModules();
  const preferences = await import("./preferences");
  const before = dataset.text;
  preferences.setPreferences({});
  // What the script has applied is what the page goes on with.
  expect(dataset.text).toBe(before);
  return preferences;
}
const text = () => document.documentElement.dataset.text;

beforeEach(() => void writeStored(PREFERENCES_KEY, null));

it.each([
  [9, "12"],
  [16, "13"],
  [17, "14"],
  [20, "16"],
  [32, "16"],
  ["none", "13"],
])("without a choice the text follows the browser's own size: %s px", async (rootPx, size) => {
  await loaded(rootPx);
  expect(text()).toBe(size);
});

it("a chosen size stays, another choice does not choose it, and a reset follows the browser again", async () => {
  const { setPreferences, resetPreferences } = await loaded(20);
  setPreferences({ wrap: true });
  expect(JSON.parse(readStored(PREFERENCES_KEY) ?? "")).toEqual({ wrap: true });
  setPreferences({ textPx: 13 });
  expect(text()).toBe("13");
  await loaded(20);
  expect(text()).toBe("13");
  resetPreferences();
  expect([text(), readStored(PREFERENCES_KEY)]).toEqual(["16", null]);
});
