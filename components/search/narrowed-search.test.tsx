// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import { PaletteDialog } from "./palette/palette";
import { SearchPage } from "./search-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/search" }));

const progress = { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 };

function stream(events: readonly object[]): Response {
  return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
}

it("goes on by itself where what is chosen is in none of the first hits", async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://127.0.0.1");
    if (url.pathname !== "/api/search")
      return Response.json({ sessions: [], projects: [], places: [], totals: null });
    const cursor = url.searchParams.get("cursor");
    asked.push(cursor);
    const isLast = cursor === "second";
    return stream([
      { kind: "start", problems: [] },
      {
        kind: "hits",
        hits: [makeHit({ record: String(asked.length), field: isLast ? "output" : "prompt" })],
      },
      {
        kind: "end",
        complete: isLast,
        nextCursor: isLast ? null : cursor === null ? "first" : "second",
        progress,
      },
    ]);
  });
  window.history.replaceState(null, "", "/search?q=retry&fields=output");
  const page = drawnPage();
  await page.draw(<SearchPage />);
  await until(() => expect(asked).toEqual([null, "first", "second"]));
  await until(() => expect(document.body.textContent).toContain("1 of 3 results"));
  await page.settle();
});

it("where nothing was found there is no empty column beside it, but for what was chosen before", async () => {
  const found = new Map([["retry", [makeHit({ field: "text" })]]]);
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://127.0.0.1");
    if (url.pathname !== "/api/search")
      return Response.json({ sessions: [], projects: [], places: [], totals: null });
    const hits = found.get(url.searchParams.get("q") ?? "") ?? [];
    return stream([
      { kind: "start", problems: [] },
      ...(hits.length > 0 ? [{ kind: "hits", hits }] : []),
      { kind: "end", complete: true, nextCursor: null, progress },
    ]);
  });
  const page = drawnPage();
  const column = () => document.querySelector('[aria-label="Filter results"]');
  for (const [search, says, hasColumn] of [
    ["q=retry", "1 result", true],
    ["q=nowhere", "No results for nowhere", false],
    ["q=nowhere&fields=output", "No results for nowhere", true],
  ] as const) {
    window.history.replaceState(null, "", `/search?${search}`);
    await page.draw(<SearchPage />);
    await until(() => expect(document.body.textContent).toContain(says));
    expect(column() !== null).toBe(hasColumn);
    await page.settle();
    page.leave();
  }
});

it("a search whose server is away says so, and offers to try again, on its page and in the palette", async () => {
  let isAway = true;
  vi.stubGlobal("fetch", async (path: string) => {
    if (isAway) throw new TypeError("no answer");
    if (!path.startsWith("/api/search?"))
      return Response.json({ sessions: [], projects: [], places: [], totals: null });
    const hits = { kind: "hits", hits: [makeHit({ field: "text" })] };
    return stream([
      { kind: "start", problems: [] },
      hits,
      { kind: "end", complete: true, nextCursor: null, progress },
    ]);
  });
  const page = drawnPage();
  const says = (words: string) => until(() => expect(document.body.textContent).toContain(words));
  window.history.replaceState(null, "", "/search?q=retry");
  await page.draw(<SearchPage />);
  await says("Backscroll does not answer.");
  expect([...document.querySelectorAll("button")].map((one) => one.textContent)).toContain("Try again");
  page.leave();

  await page.draw(<PaletteDialog open onOpenChange={() => undefined} />);
  const field = document.querySelector<HTMLInputElement>("input[role=combobox]");
  await act(async () => {
    Reflect.set(HTMLInputElement.prototype, "value", "retry", field);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await says("Backscroll does not answer. Search again");
  isAway = false;
  const again = [...document.querySelectorAll<HTMLElement>("[cmdk-item]")].find((one) =>
    one.textContent?.includes("Search again"),
  );
  await act(async () => again?.click());
  await says("1 result");
  expect(document.body.textContent).not.toContain("Search again");
  await page.settle();
});
