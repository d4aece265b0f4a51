// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { NotificationsDialog } from "./notifications-dialog";
import { setNotifyRules } from "./notify";

it("shows the error in a rule's query at the field, and does not store the query", async () => {
  await drawnPage().draw(<NotificationsDialog open onOpenChange={() => undefined} />);
  const field = document.querySelector<HTMLInputElement>('[placeholder="tool:Bash push"]');
  const said = document.getElementById(field?.getAttribute("aria-describedby") ?? "");
  expect(said?.getAttribute("role")).toBe("status");
  expect(said?.textContent).toBe("");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "is:starred push");
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  expect(said?.textContent).toBe("is: does not apply to a single call");
  expect(field?.getAttribute("aria-invalid")).toBe("true");
});

it("shows no rule as on when the browser has withdrawn its permission, and all of them when it is given again", async () => {
  const page = drawnPage();
  const browser = { permission: "granted", requestPermission: async () => (browser.permission = "granted") };
  vi.stubGlobal("Notification", browser);
  await setNotifyRules({ waits: true, sound: true });
  browser.permission = "default";
  await page.draw(<NotificationsDialog open onOpenChange={() => undefined} />);
  const checked = () =>
    [...document.querySelectorAll("label")].flatMap((label) =>
      label.querySelector("input")?.checked ? [label.textContent] : [],
    );
  expect(checked()).toEqual(["with a short sound"]);
  await act(() => setNotifyRules({ ends: true }));
  expect(checked()).toEqual([
    "waits for me, to answer or to allow something",
    "has ended, or stopped midway",
    "with a short sound",
  ]);
});

it("a notification about the open session leads to its end by reloading the page, which would otherwise stay where it is", async () => {
  window.history.replaceState(null, "", "/sessions/here?at=m~1");
  const told = (sessionId: string) => ({
    key: "ends 1",
    sessionId,
    title: sessionId,
    why: "Finished",
    atMs: 1,
  });
  localStorage.setItem("backscroll.notified", JSON.stringify([told("here"), told("there")]));
  const onOpenChange = vi.fn();
  await drawnPage().draw(<NotificationsDialog open onOpenChange={onOpenChange} />);
  const follow = async (title: string) => {
    const link = [...document.querySelectorAll("a")].find(({ textContent }) => textContent === title);
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    // The page of a test goes nowhere.
    window.addEventListener("click", (event) => event.preventDefault(), { once: true });
    await act(async () => void link?.dispatchEvent(click));
    return link?.getAttribute("href");
  };
  expect(await follow("here")).toBe("/sessions/here?follow=1");
  expect(onOpenChange).not.toHaveBeenCalled();
  window.history.replaceState({ backscroll: { dialog: "notifications" } }, "", "/sessions/here?follow=1");
  await follow("here");
  expect(window.history.state).toEqual({ backscroll: {} });
  await follow("there");
  expect(onOpenChange).toHaveBeenCalledWith(false);
});
