// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { setToken } from "@/lib/client/connection/token";
import { drawnPage } from "@/lib/testing/drawn-page";
import { SharedBar } from "./shared-bar";

const ACCESS = {
  ...{ kind: "share", sessionId: "s1", redacted: true, comments: true, expiresAtMs: 4e12 },
  without: ["thinking"],
};

const field = () => document.querySelector<HTMLInputElement>("input");
const button = () => document.querySelector("button");

async function openField() {
  vi.stubGlobal("fetch", async () =>
    Response.json({ access: ACCESS, warnings: [], indexing: { done: true } }),
  );
  setToken("share~0123456789abcdef");
  const page = drawnPage();
  await page.draw(<SharedBar />);
  await page.settle();
  act(() => button()?.click());
  expect(document.activeElement).toBe(field());
}

it("gives the focus back to the button of the name, however a key ends its field", async () => {
  await openField();
  expect(document.body.textContent).toContain("secrets redacted · without thinking · ends in");
  act(() => field()?.form?.requestSubmit());
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(button());
  act(() => button()?.click());
  act(() => void field()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(button());
});

it("leaves the focus where it went when the reader left the field for something else", async () => {
  await openField();
  act(() => field()?.blur());
  expect(field()).toBeNull();
  expect(document.activeElement).not.toBe(button());
});
