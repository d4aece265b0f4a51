// @vitest-environment page
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followStored, readStored, writeStored } from "./storage";

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("what is written is read again, and what is removed is gone", () => {
  expect(readStored("a")).toBeNull();
  expect(writeStored("a", "1")).toBe(true);
  expect(localStorage.getItem("a")).toBe("1");
  expect(readStored("a")).toBe("1");
  writeStored("a", null);
  expect(readStored("a")).toBeNull();
});

test("what is kept for the tab is not kept for the browser", () => {
  sessionStorage.clear();
  expect(writeStored("t", "mine", "tab")).toBe(true);
  expect(readStored("t", "tab")).toBe("mine");
  expect(sessionStorage.getItem("t")).toBe("mine");
  expect(readStored("t")).toBeNull();
  writeStored("t", null, "tab");
  expect(readStored("t", "tab")).toBeNull();
});

test("in a browser that refuses storage a value lasts as long as the page", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new DOMException("denied", "SecurityError");
    },
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  expect(readStored("b")).toBeNull();
  expect(writeStored("b", "kept")).toBe(false);
  expect(readStored("b")).toBe("kept");
  vi.stubGlobal("sessionStorage", localStorage);
  expect(writeStored("b", "of the tab", "tab")).toBe(false);
  expect([readStored("b"), readStored("b", "tab")]).toEqual(["kept", "of the tab"]);
  vi.unstubAllGlobals();
  expect(writeStored("b", "written")).toBe(true);
  expect(readStored("b")).toBe("written");
});

test("a bug is no refusal", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new TypeError("bug");
    },
  });
  expect(() => readStored("c")).toThrow("bug");
});

test("who follows a key hears of this page's writes and of other tabs'", () => {
  const heard: string[] = [];
  const stop = followStored("d", () => heard.push(readStored("d") ?? "none"));
  writeStored("other", "1");
  writeStored("d", "1");
  localStorage.setItem("d", "2");
  window.dispatchEvent(new StorageEvent("storage", { key: "d", newValue: "2" }));
  stop();
  writeStored("d", "3");
  expect(heard).toEqual(["1", "2"]);
});
