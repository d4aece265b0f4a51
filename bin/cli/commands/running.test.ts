import { expect, it } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { printedBy } from "@/lib/testing/printed";
import type { Doing, LiveState } from "@/lib/wire/live";
import { formatRunning, printRunning } from "./running.mjs";

type Now = Parameters<typeof formatRunning>[0];

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");

const doing = (kind: Doing["kind"], more: Partial<Doing> = {}): Doing => {
  return {
    kind,
    name: null,
    subject: null,
    recordId: null,
    sinceMs: NOW_MS - 65_000,
    partial: null,
    ...more,
  };
};

/** A session on the board, with what differs from one that thinks. */
function tile(live: Partial<LiveState>, more: object = {}): Now["tiles"][number] {
  return {
    summary: { id: "0a1b2c3d-0000-4000-8000-000000000001", title: "Fix the till", gitBranch: "main" },
    project: "/home/dev/till",
    live: { state: "running", sinceMs: null, doing: doing("thinking"), gone: false, ...live },
    turn: { number: 3, prompt: "Now\nthe tests", atMs: null },
    ...{ rows: [], agents: [], questions: null, resumeCommand: null, resumeProblem: null },
    ...more,
  } as unknown as Now["tiles"][number];
}

/** The second line of a session: how it stands. */
const standing = (live: Partial<LiveState>) =>
  formatRunning({ tiles: [tile(live)], open: [] }, NOW_MS, "")
    .split("\n")[1]
    ?.trim();

it("tells of each session what it does, for how long, where, and in the end how many there are", () => {
  const asks = {
    title: "Times for the display",
    questions: [{ question: "Which\u001b[31m zone?", options: [{ label: "UTC" }, { label: "Local" }] }],
  };
  const tiles = [
    tile(
      { state: "waiting", doing: doing("question", { name: "AskUserQuestion", subject: "Which zone?" }) },
      { ...asks, turn: null, summary: { id: "9f8e7d6c-1", title: asks.title, gitBranch: null } },
    ),
    tile({ doing: doing("tool", { name: "Bash", subject: "npm\ntest" }) }, { agents: [{}, {}] }),
  ];
  const now = { tiles, open: [{}, {}] } as unknown as Now;
  expect(formatRunning(now, NOW_MS, "http://127.0.0.1:4747").split("\n")).toEqual([
    "Times for the display",
    "  asks a question since 1 m 5 s",
    "  Which [31m zone?",
    "    UTC",
    "    Local",
    "  9f8e7d6c in /home/dev/till",
    "  http://127.0.0.1:4747/sessions/9f8e7d6c-1",
    "",
    "Fix the till  main",
    "  running since 1 m 5 s: Bash npm test",
    "  2 agents at work",
    "  turn 3: Now the tests",
    "  0a1b2c3d in /home/dev/till",
    "  http://127.0.0.1:4747/sessions/0a1b2c3d-0000-4000-8000-000000000001",
    "",
    "1 session waits for you, 1 running, 2 open with nothing running.",
    "",
  ]);
});

it("says how a session stands in the page's words", () => {
  expect(standing({})).toBe("thinking since 1 m 5 s");
  expect(standing({ doing: doing("tool", { name: "Bash", mayAsk: true }) })).toBe(
    "running or waiting for you since 1 m 5 s: Bash",
  );
  expect(standing({ state: "waiting", doing: null })).toBe("waiting for you");
  expect(standing({ state: "running", doing: null, sinceMs: NOW_MS - 4000 })).toBe("running since 4 s");
  expect(standing({ state: "interrupted", gone: true })).toBe("stopped while thinking since 1 m 5 s");
  expect(standing({ state: "interrupted", gone: true, doing: doing("tool", { name: "Bash" }) })).toBe(
    "stopped since 1 m 5 s: Bash",
  );
});

it("tells how one that has stopped is gone on with, a prompt that is the title once, and no address of a server that ends", () => {
  const resume = { resumeCommand: "cd /home/dev/till && claude --resume 0a1b", resumeProblem: null };
  const stopped = tile({ state: "interrupted", gone: true }, { ...resume, turn: { prompt: "Fix the till" } });
  const lines = formatRunning({ tiles: [stopped], open: [] }, NOW_MS, "").split("\n");
  expect(lines.slice(2)).toEqual([
    "  0a1b2c3d in /home/dev/till",
    "  cd /home/dev/till && claude --resume 0a1b",
    "",
    "1 stopped.",
    "",
  ]);
  expect(formatRunning({ tiles: [], open: [] }, NOW_MS, "")).toBe("Nothing is running.\n");
});

it("asks once all is read, and prints as JSON what the API says", async () => {
  const now = { tiles: [], open: [], ended: [{ id: "x" }] };
  const asked: string[] = [];
  const server = await fakeApi(({ url = "" }, response) => {
    asked.push(url);
    const done = asked.length > 1;
    const indexing = { phase: "done", done, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
    response.end(JSON.stringify(url === "/api/now" ? now : { indexing, warnings: [] }));
  });
  const { out } = await printedBy(() => printRunning(server, { json: true }));
  expect(out).toBe(`${JSON.stringify(now)}\n`);
  expect(asked).toEqual(["/api/health", "/api/health", "/api/now"]);
});
