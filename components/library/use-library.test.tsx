// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import { useLibrary } from "./use-library";

function Page() {
  return useLibrary().shown.map(({ id, turns }) => <p key={id}>{turns ?? "not counted yet"}</p>);
}

it("a list that was answered before everything was read, and the health after that, gets the numbers", async () => {
  const health = { indexing: { done: true, bytesDone: 1, bytesTotal: 1 }, watching: { folders: 1 } };
  let asked = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    if (!url.includes("/api/sessions")) return Response.json(health);
    asked += 1;
    const session = makeSummary({ title: "Session", turns: asked > 1 ? 7 : null, indexed: asked > 1 });
    return Response.json({ sessions: [session], nextCursor: null, total: 1, hidden: 0, problems: [] });
  });
  const page = drawnPage();
  // As on the page, an answer that has just come is not asked for again.
  page.client.setDefaultOptions({ queries: { retry: false, staleTime: 5_000 } });
  await page.draw(<Page />);
  await page.settle();
  await page.settle();
  expect(document.body.textContent).toBe("7");
});
