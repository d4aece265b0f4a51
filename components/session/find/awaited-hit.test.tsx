// @vitest-environment page
import { act, useState } from "react";
import { expect, it, vi } from "vitest";
import { SessionContext } from "@/components/session/session-store";
import type { ThreadStore } from "@/components/thread/thread-store";
import { parseThreadUrl, type ThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import { useFind } from "./use-find";

const FAKE = {
  sessionId: "s",
  get: () => ({ thread: null, selectedKey: null }),
  subscribe: () => () => undefined,
  setHits: () => undefined,
};
const beginning = FAKE as unknown as ThreadStore;

function Field() {
  const find = useFind();
  return (
    <>
      <button type="button" aria-label="enter" onClick={() => find.step(1)} />
      {["retru", "retr", "retry"].map((query) => (
        <button key={query} type="button" aria-label={query} onClick={() => find.setQuery(query)} />
      ))}
      <span id="phase">{`${find.search.phase} ${find.search.of}`}</span>
      <span id="hits">{find.hits.length}</span>
    </>
  );
}

function Page({ search = "?at=m~5", thread = beginning }: { search?: string; thread?: ThreadStore }) {
  const [url, set] = useState(parseThreadUrl(search));
  const setUrl = (change: Partial<ThreadUrl>) => set((before) => ({ ...before, ...change }));
  const store = { thread, views: { isCovered: () => false } };
  const choice = threadChoice(url, "tools", true);
  return (
    <SessionContext value={{ sessionId: "s", session: null, url, setUrl, choice, store } as never}>
      <Field />
      <output>{url.at}</output>
      <span id="detail">{url.detail}</span>
    </SessionContext>
  );
}

/** Answers with a hit where the query stands in a prompt. */
async function search(input: string): Promise<Response> {
  const q = new URL(input, "http://127.0.0.1").searchParams.get("q") ?? "";
  const hits = "please retry it".includes(q) ? [makeHit({ record: "m~7" })] : [];
  const progress = { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 };
  const events = [
    { kind: "start", problems: [] },
    { kind: "hits", hits },
    { kind: "end", complete: true, nextCursor: null, progress },
  ];
  return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
}

const press = (name: string) =>
  act(async () => document.querySelector<HTMLButtonElement>(`[aria-label="${name}"]`)?.click());
const found = (query: string) =>
  until(() => expect(document.querySelector("#phase")?.textContent).toBe(`done ${query}`));
const place = () => document.querySelector("output")?.textContent;

it("Enter behind the last letter goes to the first hit when it comes, and nowhere once the words are others", async () => {
  const page = drawnPage();
  vi.stubGlobal("fetch", search);
  await page.draw(<Page />);
  await press("retru");
  await press("enter");
  await found("retru");
  // What is typed on to mend the word is not to move the page.
  await press("retr");
  await found("retr");
  expect(place()).toBe("m~5");
  await press("retry");
  await press("enter");
  await found("retry");
  expect(place()).toBe("m~7.0");
});

it("a step goes on from the hit that was gone to last, which may come behind others", async () => {
  vi.stubGlobal("fetch", search);
  await drawnPage().draw(<Page />);
  await press("retry");
  await found("retry");
  await press("enter");
  expect(place()).toBe("m~7.0");

  let send = (_event: unknown, _isLast?: boolean): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      send = (event, isLast) => {
        stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
        if (isLast) stream.close();
      };
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body));
  await press("retr");
  send({ kind: "start", problems: [] });
  send({ kind: "hits", hits: [makeHit({ record: "m~3" })] });
  await until(() => expect(document.querySelector("#hits")?.textContent).toBe("1"));
  await press("enter");
  expect(place()).toBe("m~7.0");
  send({ kind: "hits", hits: [makeHit({ record: "m~7" }), makeHit({ record: "m~9" })] });
  await until(() => expect(place()).toBe("m~9.0"));
  const progress = { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 };
  send({ kind: "end", complete: true, nextCursor: null, progress }, true);
  await found("retr");
  expect(place()).toBe("m~9.0");
});

it.each([
  ["a reader who comes back", true],
  ["a link", false],
])(
  "%s with words to find: the row is opened, in a view that shows it, only where nobody was there before",
  async (_, wasRestored) => {
    const opened: string[] = [];
    const row = { kind: "tool", key: "m~9.0" };
    const choice = threadChoice(parseThreadUrl("?detail=prompts"), "tools", true);
    const state = { thread: { choice, windows: null }, selectedKey: row.key };
    const restored = {
      ...{ ...FAKE, get: () => state, wasRestored: () => wasRestored, whenDrawn: async () => undefined },
      ...{ selected: () => ({ row, index: 0 }), openRow: (key: string) => opened.push(key) },
    } as unknown as ThreadStore;
    const rows = { revision: 1, total: 1, from: 0, rows: [], at: 0, branch: null };
    vi.stubGlobal("fetch", async (path: string) =>
      path.includes("/rows") ? Response.json(rows) : search(path),
    );
    await drawnPage().draw(<Page search="?at=m~5&q=retry&detail=prompts" thread={restored} />);
    await found("retry");
    expect(opened).toEqual(wasRestored ? [] : ["m~9.0"]);
  },
);

it("a view that shows a hit is not chosen any more once the reader has gone on to another hit", async () => {
  const choice = threadChoice(parseThreadUrl("?detail=prompts"), "tools", true);
  const state = { thread: { choice, windows: null }, selectedKey: null };
  const thread = {
    ...{ ...FAKE, get: () => state, wasRestored: () => false, whenDrawn: async () => undefined },
    ...{ selected: () => null, goTo: async () => null, openRow: () => undefined },
  } as unknown as ThreadStore;
  let answer: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (answer = resolve));
  let asked = 0;
  const rows = { revision: 1, total: 1, from: 0, rows: [], branch: null };
  vi.stubGlobal("fetch", async (path: string) => {
    if (!path.includes("/rows")) return search(path);
    const { searchParams } = new URL(path, "http://127.0.0.1");
    const isFirst = searchParams.get("around") === "m~5";
    if (isFirst && searchParams.get("detail") === "prompts") return Response.json({ ...rows, at: null });
    if (isFirst) {
      asked += 1;
      await gate;
    }
    return Response.json({ ...rows, at: 0 });
  });
  await drawnPage().draw(<Page search="?at=m~5&q=retry&detail=prompts" thread={thread} />);
  await until(() => expect(asked).toBe(1));
  await found("retry");
  await press("enter");
  await until(() => expect(place()).toBe("m~7.0"));
  await act(async () => answer());
  await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 0))));
  expect(document.querySelector("#detail")?.textContent).toBe("prompts");
});
