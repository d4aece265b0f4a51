import { afterAll, describe, expect, test, vi } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { type RecordedVersion, sharedRecording } from "@/lib/testing/recorded";
import { detailOf, idOf, type OpenFolder, openFolder, rowsOf } from "@/lib/testing/transcript";
import type { Row } from "@/lib/wire/rows";

/** After "Clear context and implement plan": what the new session repeats of the old one. */
const CARRIED: [RecordedVersion, string[]][] = [
  [
    "2.1.29",
    [
      "tool ExitPlanMode → answered in the next: The user doesn't want to proceed",
      "context → ExitPlanMode of the session before: ExitPlanMode",
      "event ← from the session before",
    ],
  ],
  ["2.1.42", ["event → of the session before: The user doesn't want to proceed"]],
];

/** A row with what the place it leads to says. */
async function tell(folder: OpenFolder, row: Row): Promise<string[]> {
  const { carried } = row;
  if (!carried) return [];
  const name = row.kind === "tool" ? `tool ${row.name}` : row.kind;
  if (carried.recordId === null) return [`${name} ← from the session before`];
  const detail = await folder.sessions.record(carried.sessionId, carried.recordId);
  const said = JSON.stringify("json" in detail ? detail.json : null);
  const words = /The user doesn't want to proceed|ExitPlanMode/.exec(said)?.[0];
  if (carried.way === "to") return [`${name} → answered in the next: ${words}`];
  return [`${name} → ${carried.tool ? `${carried.tool} ` : ""}of the session before: ${words}`];
}

describe.each(CARRIED)("%s", (version, expected) => {
  const recording = sharedRecording(version);
  afterAll(() => recording[Symbol.dispose]());

  test("lines repeated in a plan's session link to the session before, and its call to them", async () => {
    const folder = await openFolder(recording.claudeDir);
    const told: string[] = [];
    // A session that nobody has read yet holds no answer up.
    for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
    for (const { id, projectId } of folder.catalog.summaries()) {
      const { rows } = await rowsOf(folder, id, "everything");
      const isPlan = folder.catalog.project(projectId).path.endsWith("/tui-plan");
      for (const row of rows) {
        const found = await tell(folder, row);
        // Nowhere else: copies and dangling parents of other kinds are no continuation.
        expect(isPlan || found.length === 0, id).toBe(true);
        told.push(...found);
      }
    }
    expect(told.sort()).toEqual(expected.sort());
  });
});

test("each of two continuations of a session says which of its calls it answers", async () => {
  const [own, resumed, first, second] = [uuid(1), uuid(2), uuid(3), uuid(4)];
  const call = (id: string) => ({ type: "tool_use", id, name: "ExitPlanMode", input: {} });
  const calls = { id: "msg-plan", role: "assistant", model: "claude-x", content: [call("t1"), call("t2")] };
  const asked = answer("plan", { message: calls, parentUuid: "u-plan it", sessionId: own });
  const result = (id: string, sessionId: string) =>
    prompt("refused", {
      uuid: `r-${id}`,
      parentUuid: "a-plan",
      sessionId,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "refused" }] },
    });
  const goesOn = prompt("go on", { parentUuid: "x", sessionId: own });
  const folder = await openFolder(
    makeTree({
      [`projects/-shop/${own}.jsonl`]: [prompt("plan it", { sessionId: own }), asked],
      [`projects/-shop/${resumed}.jsonl`]: [goesOn],
      [`projects/-shop/${first}.jsonl`]: [result("t1", first)],
      [`projects/-shop/${second}.jsonl`]: [result("t2", second)],
    }),
  );
  for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
  const { rows } = await rowsOf(folder, own as Parameters<typeof detailOf>[1], "everything");
  const answers = rows.flatMap((row) => (row.kind === "tool" ? [row.carried?.sessionId] : []));
  expect(answers).toEqual([first, second]);
});

test("a session that was sent to the background links to the copy in which it continues", async () => {
  const [own, copy, gone] = [uuid(1), uuid(2), uuid(3)];
  const moved = (to: string) => ({ type: "continued-in", sessionId: own, continuedInSessionId: to });
  const asked = (sessionId: string) => prompt("run it on", { sessionId });
  const folder = await openFolder(
    makeTree({
      [`projects/-shop/${own}.jsonl`]: [
        asked(own),
        answer("yes", { sessionId: own }),
        moved(copy),
        moved(gone),
      ],
      [`projects/-shop/${copy}.jsonl`]: [asked(copy), prompt("and more", { sessionId: copy })],
    }),
  );
  const { rows } = await rowsOf(folder, own as Parameters<typeof detailOf>[1], "conversation");
  const events = rows.flatMap((row) => (row.kind === "event" ? [[row.label, row.carried]] : []));
  const title = folder.catalog.summary(copy as Parameters<typeof detailOf>[1]).title;
  expect(events).toEqual([
    ["Goes on in another session", { way: "on", sessionId: copy, title, recordId: null, tool: null }],
    // Of one that is not there, or not any more, nothing is said.
    ["Goes on in another session", undefined],
  ]);
});

test("a session of many calls is looked through once for open ones, however often it is asked for one", async () => {
  const lines = Array.from({ length: 300 }, (_, nth) => [
    { ...answer("", { uuid: `a${nth}` }), message: callOf(nth) },
    { type: "user", uuid: `r${nth}`, message: { role: "user", content: [resultOf(nth)] } },
  ]).flat();
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("go"), ...lines] }));
  const id = idOf(folder, uuid(1));
  const session = await folder.sessions.latest(id);
  const looked = vi.spyOn(session.table.calls.result, "at");
  for (let nth = 0; nth < 20; nth++) await rowsOf(folder, id, "prompts");
  expect(looked.mock.calls.length).toBeLessThan(2 * 300);
});

function callOf(nth: number) {
  const content = [{ type: "tool_use", id: `toolu_${nth}`, name: "Read", input: { file_path: "/a" } }];
  return { id: `m${nth}`, role: "assistant", type: "message", model: "claude-opus-4-5", content };
}

function resultOf(nth: number) {
  return { type: "tool_result", tool_use_id: `toolu_${nth}`, content: "done" };
}
