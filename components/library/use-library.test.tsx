// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import { useLibrary, useLiveLibrary } from "./use-library";

/** However busy the machine is. */
const SOON = { timeout: 60_000 };

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

it("sessions that a query found are looked for again as they begin and end", async () => {
  window.history.replaceState(null, "", "/?q=is:running");
  const health = { indexing: { done: true, bytesDone: 1, bytesTotal: 1 }, watching: { folders: 1 } };
  const session = makeSummary({ title: "Session", turns: 7, state: "running" });
  let found = [session];
  let tell: (event: object) => void = () => undefined;
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.includes("/api/events"))
      return new Response(
        new ReadableStream({
          start: (body) => {
            tell = (event) => body.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
          },
        }),
      );
    if (!url.includes("/api/sessions")) return Response.json(health);
    return Response.json({ sessions: found, nextCursor: null, total: found.length, hidden: 0, problems: [] });
  });
  function Live() {
    useLiveLibrary();
    return <Page />;
  }
  const page = drawnPage();
  await page.draw(<Live />);
  await act(() => vi.waitFor(() => expect(document.body.textContent).toBe("7"), SOON));
  found = [];
  const state = { sessionId: session.id, state: "ended", sinceMs: 1, doing: null, lastLineAtMs: 1 };
  await act(async () => tell({ kind: "state", state, title: "Session" }));
  await act(() => vi.waitFor(() => expect(document.body.textContent).toBe(""), SOON));
  window.history.replaceState(null, "", "/");
});
