// @vitest-environment page
import { act, useEffect } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import { useSearch } from "./use-search";

const progress = { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 };
const HITS = [
  { kind: "start", problems: [] },
  { kind: "hits", hits: [makeHit()] },
];
const END = { kind: "end", complete: true, nextCursor: null, progress };

/** A stream of these events; a server that goes away breaks it off behind them. */
function answer(events: readonly object[], isBroken = false): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const event of events)
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
      if (isBroken) controller.error(new TypeError("network error"));
      else controller.close();
    },
  });
  return new Response(body);
}

const asked = {
  renew: (): Promise<void> => Promise.reject(new Error("Not drawn yet")),
  again: (): void => undefined,
};
function Found() {
  const { phase, hits, error, renew, again } = useSearch({ q: "retry" });
  useEffect(() => {
    Object.assign(asked, { renew, again });
  }, [renew, again]);
  return <output>{`${phase} ${hits.length} ${error?.message ?? ""}`.trim()}</output>;
}
const shown = () => document.querySelector("output")?.textContent;

it("a repeated search whose server goes away meanwhile leaves the hits as they are", async () => {
  vi.stubGlobal("fetch", async () => answer([...HITS, END]));
  await drawnPage().draw(<Found />);
  await until(() => expect(shown()).toBe("done 1"));
  vi.stubGlobal("fetch", async () => answer(HITS, true));
  await expect(act(() => asked.renew())).resolves.toBeUndefined();
  expect(shown()).toBe("done 1");
});

it("a search whose server goes away reports that, and not the browser's message", async () => {
  vi.stubGlobal("fetch", async () => answer(HITS, true));
  await drawnPage().draw(<Found />);
  await until(() => expect(shown()).toMatch(/^failed \d Backscroll does not answer\.$/));
});

it("a search that nobody answered is made again when the server is back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no answer")));
  await drawnPage().draw(<Found />);
  await until(() => expect(shown()).toMatch(/^failed 0/));
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(shown()).toMatch(/^failed 0/);
  vi.stubGlobal("fetch", async () => answer([...HITS, END]));
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(shown()).toBe("done 1");
});

/** A server on which these searches, by their numbers, break off behind their first hit, or are closed there. */
function breaking(isBroken: (nth: number) => boolean, isClosed = false): { searches: number } {
  const server = { searches: 0 };
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal("fetch", async (path: string) => {
    if (!path.startsWith("/api/search")) return Response.json({});
    server.searches += 1;
    if (!isBroken(server.searches)) return answer([...HITS, END]);
    const events = [...HITS];
    const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
      const event = events.shift();
      if (event) body.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
      else if (isClosed) body.close();
      else body.error(new TypeError("network error"));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  });
  return server;
}
const pass = async (seconds: number) => {
  for (let second = 0; second < seconds; second++) await act(() => vi.advanceTimersByTimeAsync(1_000));
};

it("a search whose answer breaks off each time is made again twice, and when it is asked for by hand", async () => {
  const server = breaking(() => true);
  await drawnPage().draw(<Found />);
  await pass(60);
  expect(shown()).toMatch(/^failed 1/);
  expect(server.searches).toBe(3);
  act(() => asked.again());
  await pass(100);
  expect(server.searches).toBe(6);
});

it("a server that is restarted during a search answers in the end, as often as that happens", async () => {
  const ends = new Set([3, 5]);
  const server = breaking((nth) => !ends.has(nth));
  function Asking({ q }: { q: string }) {
    const { phase, hits } = useSearch({ q });
    return <output>{`${phase} ${hits.length}`}</output>;
  }
  const page = drawnPage();
  for (const end of ends) {
    await page.draw(<Asking q="retry" />);
    await pass(100);
    expect([shown(), server.searches]).toEqual(["done 1", end]);
    // The same is asked once more, from the field.
    await page.draw(<Asking q="" />);
  }
});

it("a search whose answer a proxy closes before its end is made again, and is not taken for all there is", async () => {
  const server = breaking((nth) => nth === 1, true);
  await drawnPage().draw(<Found />);
  await pass(1);
  expect(shown()).toMatch(/^failed 1 Backscroll does not answer/);
  await pass(30);
  expect([shown(), server.searches]).toEqual(["done 1", 2]);
});

it("a repeated search that is closed before its end leaves the hits as they are", async () => {
  vi.stubGlobal("fetch", async () => answer([...HITS, END]));
  await drawnPage().draw(<Found />);
  await until(() => expect(shown()).toBe("done 1"));
  vi.stubGlobal("fetch", async () => answer([{ kind: "start", problems: [] }]));
  await act(() => asked.renew());
  expect(shown()).toBe("done 1");
});

it("a search that is to go on does so with its own query alone, whatever is typed at that moment", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return answer([...HITS, { ...END, complete: false, nextCursor: "next" }]);
  });
  let more = () => undefined as void;
  function Typed({ q }: { q: string }) {
    const search = useSearch({ q });
    useEffect(() => {
      more = search.more;
    }, [search.more]);
    return <output>{`${search.phase} ${search.hits.length}`}</output>;
  }
  const page = drawnPage();
  await page.draw(<Typed q="retry" />);
  await until(() => expect(shown()).toBe("done 1"));
  await act(async () => {
    more();
    await page.draw(<Typed q="okapi" />);
  });
  await until(() => expect(shown()).toBe("done 1"));
  const [last = ""] = asked.slice(-1);
  expect(last).toContain("okapi");
  expect(last).not.toContain("cursor");
});
