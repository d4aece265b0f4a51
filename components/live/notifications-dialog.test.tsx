// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { NotificationsDialog } from "./notifications-dialog";
import { setNotifyRules } from "./notify";

it("says at the field what is wrong with the query of a rule, which is not kept", async () => {
  await drawnPage().draw(<NotificationsDialog open onOpenChange={() => undefined} />);
  const field = document.querySelector<HTMLInputElement>('[placeholder="tool:Bash push"]');
  const said = document.getElementById(field?.getAttribute("aria-describedby") ?? "");
  expect(said?.getAttribute("role")).toBe("status");
  expect(said?.textContent).toBe("");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "is:starred push");
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  expect(said?.textContent).toBe("is: says nothing of a single call");
  expect(field?.getAttribute("aria-invalid")).toBe("true");
});

it("shows no rule as on when the browser has taken back its leave, and all of them with the next that is allowed", async () => {
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
