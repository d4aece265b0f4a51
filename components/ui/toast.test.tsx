// @vitest-environment page
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/connection/api-error";
import { drawnPage } from "@/lib/testing/drawn-page";
import { roomAbove } from "./frame/bottom-bars";
import { Toaster, toast, toastFailure } from "./toast";

let visibility: DocumentVisibilityState = "visible";
const shown = () => [...document.querySelectorAll("[role=status] > div")].map((one) => one.textContent);
const turn = (to: DocumentVisibilityState) =>
  act(async () => {
    visibility = to;
    document.dispatchEvent(new Event("visibilitychange"));
  });
const wait = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});
afterEach(async () => {
  await turn("visible");
  await wait(10_000);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("shows a message for three seconds of the time that its tab is visible", async () => {
  await drawnPage().draw(<Toaster />);
  await turn("hidden");
  act(() => toast("The session ended"));
  await wait(60_000);
  expect(shown()).toEqual(["The session ended"]);
  await turn("visible");
  await wait(2_000);
  await turn("hidden");
  await wait(60_000);
  await turn("visible");
  await wait(900);
  expect(shown()).toEqual(["The session ended"]);
  await wait(200);
  expect(shown()).toEqual([]);
});

it("keeps one with an Undo for eight seconds", async () => {
  await drawnPage().draw(<Toaster />);
  act(() => toast("1 session hidden", "plain", () => undefined));
  await wait(7_900);
  expect(shown()).toEqual(["1 session hiddenUndo"]);
  await wait(200);
  expect(shown()).toEqual([]);
});

it("says of a failure what happened, where and what to do, for eight seconds", async () => {
  await drawnPage().draw(<Toaster />);
  const error = { code: "annotations-unwritable", message: "This could not be saved", hint: "Make room." };
  act(() => toastFailure(new ApiError(409, { ...error, path: "/data/notes.jsonl" }), "Couldn’t save it"));
  await wait(7_900);
  expect(shown()).toEqual(["This could not be saved (/data/notes.jsonl). Make room."]);
  await wait(200);
  expect(shown()).toEqual([]);
});

it("moves a message above the bars that it would lie on, and above those alone", () => {
  const toastBox = { left: 400, right: 600, top: 840, bottom: 864 };
  const bar = (left: number, right: number, top: number, bottom: number) => ({ left, right, top, bottom });
  expect(roomAbove(toastBox, [])).toBe(0);
  expect(roomAbove(toastBox, [bar(0, 1440, 844, 876)])).toBe(28);
  // A column beside it, and a bar that is further up.
  expect(roomAbove(toastBox, [bar(0, 300, 844, 876), bar(0, 1440, 500, 532)])).toBe(0);
  // Above the lower one it would lie on the next.
  expect(roomAbove(toastBox, [bar(0, 1440, 820, 844), bar(0, 1440, 844, 876)])).toBe(52);
});
