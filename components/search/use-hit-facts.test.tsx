// @vitest-environment page
import { act } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import type { SearchHit } from "@/lib/wire/search";
import { useHitFacts } from "./use-hit-facts";

type Asked = { hits: { session: string; recordId: string }[] };

function States({ hits, growing = false }: { hits: readonly SearchHit[]; growing?: boolean }) {
  const { statesOf, branchOf, complete } = useHitFacts(hits, SESSIONS, growing);
  const known = hits.filter((hit) => statesOf(hit) !== null).length;
  const [first] = hits;
  return (
    <output>
      {`${known} ${complete} ${first ? `${statesOf(first)?.join()} ${branchOf(first.sessionId)}` : ""}`}
    </output>
  );
}
const SESSIONS = new Map([[makeHit().sessionId, { gitBranch: "main" }]]);
const shown = () => document.querySelector("output")?.textContent;

function serve(answer: (asked: Asked) => Response) {
  const requests: Asked[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: { body?: string }) => {
    const asked = JSON.parse(body ?? "{}") as Asked;
    requests.push(asked);
    return answer(asked);
  });
  return requests;
}
const allLeft = ({ hits }: Asked) => Response.json({ states: hits.map(() => ["abandoned"]) });

it("the states of all hits are asked for in some requests, those of a session together, and each once", async () => {
  const requests = serve(allLeft);
  const hits = Array.from({ length: 700 }, (_, n) =>
    makeHit({ session: `s${(n % 2) + 1}`, record: `m~${n}` }),
  );
  const page = drawnPage();
  await page.draw(<States hits={hits} />);
  await until(() => expect(shown()).toBe("700 true abandoned main"));
  expect(requests.map((one) => one.hits.length)).toEqual([300, 300, 100]);
  expect(new Set(requests[2]?.hits.map(({ session }) => session))).toEqual(new Set(["s2"]));
  await page.draw(<States hits={[...hits, makeHit({ record: "m~new" })]} />);
  await until(() => expect(shown()).toMatch(/^701 true/));
  expect(requests[3]?.hits.map(({ recordId }) => recordId)).toEqual(["m~new"]);
});

it("what the server refuses is not asked for ever, and ends the waiting", async () => {
  const requests = serve(() => Response.json({ error: { code: "broken", message: "No." } }, { status: 500 }));
  await drawnPage().draw(<States hits={[makeHit()]} />);
  await until(() => expect(shown()).toBe("0 true undefined main"));
  expect(requests).toHaveLength(1);
});

it("hits that come while those before them are refused are asked for all the same", async () => {
  let refuse: () => void = () => undefined;
  const requests: Asked[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: { body: string }) => {
    const asked = JSON.parse(body) as Asked;
    requests.push(asked);
    if (requests.length > 1) return allLeft(asked);
    await new Promise<void>((resolve) => {
      refuse = resolve;
    });
    return Response.json({ error: { code: "broken", message: "No." } }, { status: 500 });
  });
  const page = drawnPage();
  await page.draw(<States hits={[makeHit()]} />);
  await until(() => expect(requests).toHaveLength(1));
  await page.draw(<States hits={[makeHit(), makeHit({ record: "m~new" })]} />);
  await act(async () => refuse());
  await until(() => expect(shown()).toBe("2 true abandoned main"));
  expect(requests.map(({ hits }) => hits.length)).toEqual([1, 2]);
});

it("what is asked for as the last hits arrive is not asked for again when the search has ended", async () => {
  let answer: () => void = () => undefined;
  const requests: Asked[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: { body: string }) => {
    const asked = JSON.parse(body) as Asked;
    requests.push(asked);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return allLeft(asked);
  });
  const page = drawnPage();
  const hits = [makeHit()];
  await page.draw(<States hits={hits} growing />);
  await until(() => expect(requests).toHaveLength(1));
  await page.draw(<States hits={hits} />);
  await page.settle();
  await act(async () => answer());
  await until(() => expect(shown()).toBe("1 true abandoned main"));
  expect(requests).toHaveLength(1);
});

it("waits for a pause while hits arrive, and asks for what has come by then", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const requests = serve(allLeft);
  const page = drawnPage();
  await page.draw(<States hits={[makeHit()]} growing />);
  await act(() => vi.advanceTimersByTimeAsync(300));
  await page.draw(<States hits={[makeHit(), makeHit({ record: "m~1" })]} growing />);
  expect(requests).toHaveLength(0);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(requests.map(({ hits }) => hits.length)).toEqual([2]);
});

it("what nobody answered is asked for again once the server is back, and not by a page that was left", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const unreachable = () => Promise.reject(new TypeError("no answer"));
  vi.stubGlobal("fetch", unreachable);
  const page = drawnPage();
  await page.draw(<States hits={[makeHit()]} />);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(shown()).toBe("0 false undefined main");
  const requests = serve((asked) => (asked.hits ? allLeft(asked) : Response.json({})));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(shown()).toBe("1 true abandoned main");
  expect(requests.filter(({ hits }) => hits)).toHaveLength(1);
});

it("one request is no larger than a server takes, also with the longest ids that a session has", async () => {
  const requests = serve(allLeft);
  const session = `${"7c2f1e0a-".repeat(10)}00000000-0000-4000-8000-000000000001`;
  const hits = Array.from({ length: 400 }, (_, n) =>
    makeHit({ session, record: `agent-0123456789abcdef~${(1e9 + n).toString(36)}`, field: "attachment" }),
  );
  await drawnPage().draw(<States hits={hits} />);
  await until(() => expect(requests).toHaveLength(2));
  for (const asked of requests) expect(JSON.stringify(asked).length).toBeLessThanOrEqual(64 << 10);
});
