import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import { UNKNOWN_FIGURES } from "@/lib/wire/library-columns";
import { PageRequest } from "@/lib/wire/requests/values";
import { pageOfSessions, type SessionListQuery } from "./session-list";

const ALL: SessionListQuery = {
  project: null,
  keep: null,
  withHidden: false,
  sort: "active",
  limit: 100,
  cursor: null,
};

function session(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id: id as SessionId,
    projectId: "p" as ProjectId,
    title: id,
    titleSource: "prompt",
    firstPrompt: null,
    startedAtMs: null,
    lastActiveAtMs: 0,
    ...UNKNOWN_FIGURES,
    bytes: 0,
    models: [],
    gitBranch: null,
    state: "unknown",
    sinceMs: null,
    indexed: false,
    activity: null,
    cost: null,
    problem: null,
    storage: "logs",
    marks: null,
    ...more,
  };
}

const ids = (sessions: SessionSummary[], query: Partial<SessionListQuery>) =>
  pageOfSessions(sessions, { ...ALL, ...query }).sessions.map((one) => one.id);

describe("listSessions", () => {
  it("sorts, the unknown last", () => {
    const sessions = [
      session("b", { turns: 2 }),
      session("c"),
      session("a", { turns: 9, lastActiveAtMs: 5 }),
    ];
    expect(ids(sessions, { sort: "turns" })).toEqual(["a", "b", "c"]);
    expect(ids(sessions, { sort: "active" })).toEqual(["a", "b", "c"]);
    expect(ids(sessions, { sort: "title" })).toEqual(["a", "b", "c"]);
  });

  it("lists only the requested sessions", () => {
    const sessions = [session("1", { title: "Fix Retry" }), session("2")];
    expect(ids(sessions, { keep: ({ title }) => title.includes("Retry") })).toEqual(["1"]);
    expect(ids(sessions, { project: "other" as ProjectId })).toEqual([]);
  });

  it("pages through all, each once, also when sessions come and go between pages", () => {
    let sessions = ["a", "b", "c", "d", "e"].map((id, at) =>
      session(id, { lastActiveAtMs: at % 2 === 0 ? 7 : null }),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = pageOfSessions(sessions, { ...ALL, limit: 2, cursor });
      seen.push(...page.sessions.map((one) => one.id));
      cursor = page.nextCursor;
      sessions = [
        session(`new${seen.length}`, { lastActiveAtMs: 99 }),
        ...sessions.filter((one) => one.id !== "a"),
      ];
    } while (cursor);
    expect(seen).toEqual(["a", "c", "e", "b", "d"]);
  });

  it("pages through titles of any length and script with cursors that a request may carry", () => {
    const titles = fc.array(
      fc.record({
        start: fc.constantFrom("", "fix ".repeat(60), "修".repeat(300), "\ud800".repeat(200), "İ".repeat(90)),
        end: fc.string({ unit: "binary", maxLength: 40 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(titles, fc.integer({ min: 1, max: 7 }), (made, limit) => {
        const sessions = made.map(({ start, end }, at) => session(`s${at}`, { title: start + end }));
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page = pageOfSessions(sessions, { ...ALL, sort: "title", limit, cursor });
          seen.push(...page.sessions.map((one) => one.id));
          cursor = PageRequest.shape.cursor.parse(page.nextCursor);
        } while (cursor);
        expect(seen).toEqual(ids(sessions, { sort: "title" }));
        expect(seen.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
      }),
    );
  });

  it("continues after a session with a long title that is gone, repeating and losing none", () => {
    const sessions = ["1", "2", "3", "4"].map((end) => session(end, { title: "long ".repeat(100) + end }));
    const { nextCursor } = pageOfSessions(sessions, { ...ALL, sort: "title", limit: 2 });
    const left = sessions.filter(({ id }) => id !== "2");
    expect(ids(left, { sort: "title", cursor: nextCursor })).toEqual(["3", "4"]);
  });

  it("starts from the top for a cursor that it did not make", () => {
    expect(ids([session("a")], { cursor: "!!" })).toEqual(["a"]);
    expect(ids([session("a")], { cursor: Buffer.from("{}").toString("base64url") })).toEqual(["a"]);
  });
});
