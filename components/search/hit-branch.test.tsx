// @vitest-environment page
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import { HitRow } from "./hit-row";

vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: () => undefined }),
  usePathname: () => "/search",
}));

it.each([
  ["of the active branch says nothing of it", null, "answer"],
  [
    "of another branch says which, in words for who does not see the sign",
    2,
    "on branch 2, which is not the active one: answer",
  ],
])("a hit %s", async (_, branch, says) => {
  const place = { turn: 3, branch, tool: null, state: null };
  const hit = makeHit({ field: "text", snippet: "a walrus", ranges: [], atMs: null });
  const state = { current: false, tabStop: false, focused: false, narrow: false };
  await drawnPage().draw(<HitRow hit={hit} place={place} href="/" {...state} />);
  for (const hidden of document.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  expect(document.querySelector("a")?.textContent).toBe(`turn 3${says}a walrus`);
});
