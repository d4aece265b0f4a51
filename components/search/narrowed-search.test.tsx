// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
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
  await vi.waitFor(() => act(async () => expect(asked).toEqual([null, "first", "second"])));
  await vi.waitFor(() => act(async () => expect(document.body.textContent).toContain("1 of 3 results")));
});
