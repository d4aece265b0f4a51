// @vitest-environment page
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openThread } from "@/components/thread/open-thread";
import { parsePermalink, parseThreadUrl, threadChoice, threadSearch } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { noteAnswer } from "@/lib/client/connection/known-server";
import type { AgentId, BranchId, SessionId } from "@/lib/wire/ids";
import { DETAILS } from "@/lib/wire/rows";
import { firstRequests } from "./first-requests";

beforeEach(noteAnswer);
afterEach(() => vi.unstubAllGlobals());

const text = fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }));
/** No address names `.` or `..`: a URL resolves them as folders. */
const names = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((name) => name !== "." && name !== "..");
const addresses = fc.record({
  id: fc.oneof(fc.uuid(), names),
  url: fc.record({
    branch: text as fc.Arbitrary<BranchId | null>,
    agent: text as fc.Arbitrary<AgentId | null>,
    detail: fc.option(fc.constantFrom(...DETAILS)),
    fold: text,
    runs: text,
    at: fc.option(fc.constantFrom("m~1k9", "m~1k9.2", "m~1k9.0:L3-7", "not a place")),
    follow: fc.option(fc.constantFrom("1", "0")),
    q: text,
    panes: text,
  }),
});

it("are those that the page makes, whatever its address says and its reader prefers", async () => {
  await fc.assert(
    fc.asyncProperty(
      addresses,
      fc.constantFrom(...DETAILS),
      fc.boolean(),
      async ({ id, url }, detail, folds) => {
        const address = `/sessions/${encodeURIComponent(id)}${threadSearch(url)}`;
        const asked: string[] = [];
        vi.stubGlobal("fetch", async (asks: string) => {
          asked.push(asks);
          return Response.json({ rows: [], total: 0, from: 0, at: null });
        });
        const sessionId = id as SessionId;
        // As `SessionView` does.
        const now = parseThreadUrl(new URL(address, "http://page").search);
        const choice = threadChoice(now, detail, folds && !now.q);
        const place = parsePermalink(now.at);
        const toEnd = now.follow === "1" && !place;
        const told = { onScan: () => undefined, onBeginning: () => undefined };
        await openThread(
          { sessionId, source: api, choice },
          { place, toEnd },
          AbortSignal.timeout(5_000),
          told,
        );
        await api.session(sessionId);
        expect(firstRequests(address)?.[`${detail}/${folds}`]).toEqual([asked[0], asked.at(-1)]);
      },
    ),
  );
});

it("are none of other pages, nor of an address whose id is no text", () => {
  for (const address of ["/", "/sessions", "/sessions/a/b", "/search?q=/sessions/a", "/sessions/%E0%A4%A"])
    expect(firstRequests(address), address).toBeNull();
});
