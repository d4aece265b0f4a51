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
    <SearchState search={search} query="" filtered={false} onQuery={nothing} onClearFacets={nothing} />,
  );
  const lines = [...document.querySelectorAll("li")].map(({ textContent }) => textContent ?? "");
  const line = (filter: string) => lines.find((one) => one.startsWith(filter));
  expect(line("is:")).toBe("is:errorstate of a call or a session: error, denied, running, starred, hidden");
  expect(line("has:")).toMatch(/image, diff, compaction, note, bookmark, comment$/);
  expect(line("in:")).toMatch(/prompt, .*, meta, raw$/);
});
