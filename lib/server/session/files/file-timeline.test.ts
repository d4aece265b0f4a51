import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { RecordId } from "@/lib/wire/ids";
import type { Seen } from "./file-text";
import { wholeText } from "./file-text";
import { type FileEvent, FileTimeline } from "./file-timeline";
import { numberedLines } from "./numbered-lines";

/** A step of a file, `m~1`, `m~2`, … by its number. */
function step(n: number, said: Partial<FileEvent>): FileEvent {
  const base = {
    recordId: `m~${n}` as RecordId,
    block: 0,
    records: [n],
    tool: "Edit",
    agentId: null,
    turn: 1,
    atMs: n,
  };
  return { ...base, before: null, change: null, after: null, source: "read", ...said };
}

const read = (n: number, from: number, lines: string[], total: number | null = null) =>
  step(n, { tool: "Read", after: { from, lines, total } });
const whole = (n: number, text: string) => step(n, { tool: "Read", after: wholeText(text) });
const edit = (n: number, from: string, to: string, said: Partial<FileEvent> = {}) =>
  step(n, {
    change: { kind: "edit", edits: [{ from, to, all: false }], patch: [] },
    source: "original",
    ...said,
  });

/** The versions in words: kind, then the lines with their origins, `?` for one that is not known. */
async function spell(...events: FileEvent[]): Promise<string[]> {
  const timeline = await FileTimeline.of(events);
  return timeline.versions.map(({ kind }, index) => {
    const { text, origins } = timeline.stateAt(index);
    const lines = text.lines.map((line, at) => {
      const origin = origins[at];
      const by = origin
        ? `${timeline.events[timeline.versions[origin.version]?.event ?? -1]?.recordId.slice(2)}${origin.how[0]}`
        : "";
      return line === null ? "?" : `${line}(${by})`;
    });
    return `${kind}: ${lines.join(" ")}${text.open ? " …" : ""}`;
  });
}

describe("a file of which the logs hold a part", () => {
  it("is known where it was read and edited", async () => {
    expect(await spell(read(1, 2, ["b", "c"], 5), edit(2, "c", "C\nD"))).toEqual([
      "read: ? b(1s) c(1s) ? ?",
      "edit: ? b(1s) C(2w) D(2w) ? ?",
    ]);
  });

  it("is completed by later reads, which do not count as writes", async () => {
    expect(await spell(read(1, 1, ["a"], 3), read(2, 2, ["b", "c"], 3))).toEqual([
      "read: a(1s) ? ?",
      "read: a(1s) b(2s) c(2s)",
    ]);
  });

  it("is unknown after an edit outside of the known lines", async () => {
    expect(await spell(read(1, 1, ["a"], 3), edit(2, "z", "y"))).toEqual(["read: a(1s) ? ?", "edit:  …"]);
    // The replaced text may also be in the unknown lines.
    const all = {
      change: { kind: "edit" as const, edits: [{ from: "a", to: "b\nc", all: true }], patch: [] },
    };
    expect(await spell(read(1, 1, ["a"], 3), step(2, all))).toEqual(["read: a(1s) ? ?", "edit:  …"]);
  });

  it("has the lines around an edit that its result or its patch shows", async () => {
    const after: Seen = { from: 7, lines: ["x", "y"], total: null };
    expect(await spell(edit(1, "z", "y", { after }))).toEqual(["edit: ? ? ? ? ? ? x(1s) y(1s) …"]);
    const patch = [{ oldStart: 2, oldLines: 2, newStart: 2, newLines: 2, lines: [" x", "-z", "+y"] }];
    const change = { kind: "edit" as const, edits: [{ from: "z", to: "y", all: false }], patch };
    expect(await spell(step(1, { change }))).toEqual(["edit: ? x(1s) y(1w) …"]);
  });

  it("has an open end if nothing says how long it is", async () => {
    expect(await spell(read(1, 1, ["a", "b"]), edit(2, "b", "c"))).toEqual([
      "read: a(1s) b(1s) …",
      "edit: a(1s) c(2w) …",
    ]);
  });
});

describe("a file that something else wrote", () => {
  it("has a version of its own, and only its differences come from outside", async () => {
    expect(await spell(whole(1, "a\nb"), edit(2, "b", "c", { before: wholeText("a\nX\nb") }))).toEqual([
      "read: a(1s) b(1s)",
      "outside: a(1s) X(2o) b(1s)",
      "edit: a(1s) X(2o) c(2w)",
    ]);
  });

  it("is known only where it is seen after that", async () => {
    expect(await spell(whole(1, "a\nb\nc"), read(2, 2, ["X"], 3))).toEqual([
      "read: a(1s) b(1s) c(1s)",
      "outside: ? X(2o) ?",
    ]);
  });

  it("keeps the origins of its lines if it was deleted and restored", async () => {
    const backup = (n: number, after: Seen) => step(n, { tool: null, source: "backup", after });
    const write = step(1, {
      tool: "Write",
      before: "absent",
      change: { kind: "write", content: "a", patch: [] },
    });
    expect(await spell(write, backup(2, "absent"), backup(3, wholeText("a")))).toEqual([
      "create: a(1w)",
      "deleted: ",
      "outside: a(1w)",
    ]);
  });

  it("was not written by anyone where a backup was copied after the change that it was made for (2.0.76)", async () => {
    const late = step(2, { tool: null, source: "backup", after: wholeText("b") });
    expect(await spell(whole(1, "a"), late, edit(3, "a", "b", { before: wholeText("a") }))).toEqual([
      "read: a(1s)",
      "edit: b(3w)",
    ]);
  });
});

describe("an edit that replaces nothing, which the client makes of a new or empty file", () => {
  const write = (n: number, content: string) =>
    step(n, { tool: "Write", before: "absent", change: { kind: "write", content, patch: [] } });
  const fill = (n: number, to: string) => edit(n, "", to, { before: "empty" });

  it("does not report an empty file as deleted", async () => {
    expect(await spell(write(1, ""), fill(2, "a\nb\n"))).toEqual(["create: (1w)", "edit: a(2w) b(2w) (1w)"]);
    expect(await spell(write(1, " \n"), fill(2, "a"))).toEqual(["create:  (1w) (1w)", "edit: a(2w)"]);
  });

  it("reports a file with content as deleted", async () => {
    expect(await spell(write(1, "a"), fill(2, "b"))).toEqual(["create: a(1w)", "deleted: ", "edit: b(2w)"]);
  });

  it("makes the whole file known, whatever was known before", async () => {
    expect(await spell(fill(1, "a\nb"))).toEqual(["edit: a(1w) b(1w)"]);
    expect(await spell(read(1, 2, ["", ""], 5), fill(2, "a"))).toEqual([
      "read: ? (1s) (1s) ? ?",
      "edit: a(2w)",
    ]);
    // MultiEdit goes on with what it has put in (1.0).
    const edits = [
      { from: "", to: "a\nb", all: false },
      { from: "b", to: "c", all: false },
    ];
    const change = { kind: "edit" as const, edits, patch: [] };
    expect(await spell(step(1, { before: "empty", change }))).toEqual(["edit: a(1w) c(1w)"]);
  });
});

it("knows nothing of a file after a change that the log does not describe", async () => {
  const change = { kind: "edit" as const, edits: [], patch: [] };
  expect(await spell(whole(1, "a"), step(2, { change }))).toEqual(["read: a(1s)", "edit:  …"]);
});

it("knows which versions a later step shows, and which are the same", async () => {
  const { versions } = await FileTimeline.of([
    whole(1, "a"),
    edit(2, "a", "b"),
    edit(3, "b", "a"),
    whole(4, "a"),
  ]);
  expect(versions.map(({ checkedBy, sameAs }) => [checkedBy, sameAs])).toEqual([
    [-1, null],
    [-1, null],
    [3, "m~1.0"],
  ]);
});

describe("a file of more lines than a call can have arguments", () => {
  const LINES = 200_000;
  const text = Array.from({ length: LINES }, (_, n) => `${n}`).join("\n");

  it("has versions like any other", async () => {
    const before = "one\ntwo";
    const write = step(2, { tool: "Write", change: { kind: "write", content: text, patch: [] } });
    const timeline = await FileTimeline.of([whole(1, before), write]);
    const { text: told, origins } = timeline.stateAt(1);
    expect([told.lines.length, told.lines.at(-1)]).toEqual([LINES, `${LINES - 1}`]);
    expect(origins.at(-1)).toEqual({ version: 1, how: "wrote" });
  });

  it("can be edited if it is partly known, too", async () => {
    const timeline = await FileTimeline.of([read(1, 2, text.split("\n")), edit(2, "\n7\n", "\nX\nY\n")]);
    const { lines } = timeline.stateAt(1).text;
    expect([lines.length, lines[8], lines[9], lines[10]]).toEqual([LINES + 2, "X", "Y", "8"]);
  });
});

it("ignores a patch for lines that no file has", async () => {
  const patch = [{ oldStart: 5e9, oldLines: 1, newStart: 5e9, newLines: 1, lines: ["-a", "+b"] }];
  const change = { kind: "edit" as const, edits: [{ from: "a", to: "b", all: false }], patch };
  expect(await spell(read(1, 1, ["x"]), step(2, { change }))).toEqual(["read: x(1s) …", "edit:  …"]);
});

it("removes the line end with a deleted text, as the client does, unless the patch says otherwise", async () => {
  expect(await spell(whole(1, "a\nb\nc"), edit(2, "b", ""))).toEqual([
    "read: a(1s) b(1s) c(1s)",
    "edit: a(1s) c(1s)",
  ]);
  const patch = [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" a", "-b", "+", " c"] }];
  const change = { kind: "edit" as const, edits: [{ from: "b", to: "", all: false }], patch };
  expect(await spell(whole(1, "a\nb\nc"), step(2, { change }))).toEqual([
    "read: a(1s) b(1s) c(1s)",
    "edit: a(1s) (2w) c(1s)",
  ]);
});

it.each([
  ["1\ta\n2\t\n3\tb\tc", { from: 1, lines: ["a", "", "b\tc"], ends: true }],
  ["    99→a\n   100→b\n\n<system-reminder>\nmore", { from: 99, lines: ["a", "b"], ends: true }],
  ["1\ta\n3\tb", { from: 1, lines: ["a"], ends: false }],
  ["5\tlong... [truncated]", { from: 5, lines: [null], ends: true }],
  // Characters that end a line elsewhere.
  ["1\ta\u2028b\r\n2\tc\rd", { from: 1, lines: ["a\u2028b", "c\rd"], ends: true }],
  ["no numbers", null],
])("reads numbered lines: %j", (text, found) => {
  expect(numberedLines(text)).toEqual(found);
});

/** Lines that share one, which is empty, with any other such text. */
const anew = (n: number) =>
  Array.from({ length: 480 }, (_, line) => (line === 240 ? "" : `${n} ${line}`)).join("\n");

it("is built in slices, so that a file that was written anew again and again holds up nobody", async () => {
  // By this clock every slice is over when it is asked for.
  let nowMs = performance.now();
  const now = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 20));
  onTestFinished(async () => {
    // The slices of the tests behind this one begin anew, not when that time has come.
    now.mockReturnValueOnce(Number.POSITIVE_INFINITY).mockReturnValueOnce(0);
    await nextSlice();
    now.mockRestore();
  });
  let turns = 0;
  let isBuilt = false;
  const built = FileTimeline.of(Array.from({ length: 20 }, (_, n) => whole(n + 1, anew(n)))).finally(() => {
    isBuilt = true;
  });
  while (!isBuilt) {
    await nextTurn();
    turns += 1;
  }
  expect((await built).versions).toHaveLength(20);
  expect(turns).toBeGreaterThanOrEqual(20);
});

it("keeps the lines that a file written anew has from before, however many others it has", async () => {
  const timeline = await FileTimeline.of([whole(1, anew(1)), whole(2, `new\n${anew(2)}`)]);
  const { origins } = timeline.stateAt(1);
  expect(origins.map((origin) => origin?.version)).toEqual(
    Array.from({ length: 481 }, (_, line) => (line === 241 ? 0 : 1)),
  );
});
