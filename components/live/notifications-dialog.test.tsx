// @vitest-environment happy-dom
import { act } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { NotificationsDialog } from "./notifications-dialog";

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
