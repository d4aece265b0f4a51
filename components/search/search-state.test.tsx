// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/connection/api-error";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { SearchState } from "./search-state";
import type { PageSearch } from "./use-search";

const nothing = () => undefined;

let page: DrawnPage;

beforeEach(() => {
  page = drawnPage();
});

function show(search: Partial<PageSearch>, query: string, more: { onQuery?: (query: string) => void } = {}) {
  return page.draw(
    <SearchState
      search={
        { phase: "done", hits: [], complete: true, error: null, again: nothing, ...search } as PageSearch
      }
      query={query}
      filtered={false}
      waiting={false}
      onQuery={nothing}
      onClearFacets={nothing}
      {...more}
    />,
  );
}
const press = (name: string) =>
  act(async () =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click(),
  );

it("a search that failed says why and what to do, and is made again by a button", async () => {
  const again = vi.fn<() => void>();
  const told = { code: "search-broke", message: "The index is gone.", hint: "Start again." };
  await show({ phase: "failed", error: new ApiError(500, told), again }, "greeting");
  const alert = document.querySelector('[role="alert"]');
  expect(alert?.textContent).toContain("The index is gone.");
  expect(alert?.textContent).toContain("Start again.");
  await press("Try again");
  expect(again).toHaveBeenCalledOnce();
});

it("that there is nothing is said only once everything was searched", async () => {
  const heading = () => document.querySelector("h2")?.textContent;
  await show({ phase: "running", complete: false }, "zzqxzz");
  expect(heading()).toBeUndefined();
  await show({ complete: false }, "zzqxzz");
  expect(heading()).toBe("No results so far");
  await show({}, "zzqxzz");
  expect(heading()).toBe("No results for zzqxzz");
});

it("where nothing was found the last filter is taken out by a button", async () => {
  const queries: string[] = [];
  await show({}, "zzqxzz tool:Bash is:error", { onQuery: (query) => queries.push(query) });
  await press("Remove is:error");
  expect(queries).toEqual(["zzqxzz tool:Bash"]);
});

it("without a query every value of a filter is named that takes no other", async () => {
  await show({ phase: "idle", complete: false }, "");
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

it("where an expression took too long, nobody is told that there are no results", async () => {
  const progress = { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 };
  await show({ progress }, "/a/");
  expect(document.body.textContent).toContain("No results for /a/");
  await show({ progress: { ...progress, unsearched: 1 } }, "/a/");
  expect(document.body.textContent).toContain("No results so far");
  expect(document.body.textContent).toContain("1 text was not searched: the expression takes too long");
});
