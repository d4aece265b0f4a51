// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { SearchState } from "./search-state";
import type { PageSearch } from "./use-search";

it("without a query every value of a filter is named that takes no other", async () => {
  const nothing = () => undefined;
  const search = { phase: "idle", hits: [], complete: false, again: nothing } as unknown as PageSearch;
  const page = drawnPage();
  await page.draw(
    <SearchState
      search={search}
      query=""
      filtered={false}
      waiting={false}
      onQuery={nothing}
      onClearFacets={nothing}
    />,
  );
  const lines = [...document.querySelectorAll("li")].map(({ textContent }) => textContent ?? "");
  const line = (filter: string) => lines.find((one) => one.startsWith(filter));
  expect(line("is:")).toBe(
    "is:errorstate of a call, a text or a session: error, denied, running, abandoned, compacted, unanswered, starred, hidden",
  );
  expect(line("has:")).toMatch(/image, diff, compaction, note, bookmark, comment$/);
  // Named where it is said what they mean, and not again behind that.
  expect(line("storage:")).toMatch(/or not kept \(logs\)$/);
  expect(line("in:")).toMatch(/prompt, .*, meta, raw$/);
});
