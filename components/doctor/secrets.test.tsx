// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Secrets } from "./secrets";

const KIND = {
  rule: "npm-token",
  title: "npm token",
  level: "warning",
  personal: false,
  count: 1,
  places: [],
};
const REPORT = { session: null, kinds: [KIND], sessions: [{ id: "s1", title: "Publish it", count: 1 }] };

it("keeps the focus where the requested secrets appear", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(REPORT)));
  const page = drawnPage();
  await page.draw(<Secrets session={null} />);
  const button = [...document.querySelectorAll("button")].find(({ textContent }) => /Look/.test(textContent));
  button?.focus();
  act(() => button?.click());
  const focused = document.activeElement;
  expect(focused?.closest("section")).not.toBeNull();
  await page.settle();
  expect(document.activeElement).toBe(focused);
  expect(focused?.textContent).toContain("npm token");
});
