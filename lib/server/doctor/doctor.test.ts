import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { fixtureFolder, RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { type OpenFolder, openFolder, settled } from "@/lib/testing/transcript";
import type { DoctorReport } from "@/lib/wire/doctor";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import { Doctor } from "./doctor";
import { examine } from "./examine";
import { formatDoctor } from "./format-doctor";

const FIXTURES = fixtureFolder();

/** Fields that a message must have. */
const FULL = { sessionId: "s", parentUuid: null };
const nested = (levels: number) => `{"type":"user","deep":${"[".repeat(levels)}${"]".repeat(levels)}}`;

/** Every bad line that real logs or hostile ones hold, in two sessions. */
function badTree(): string {
  const good = (n: number, more: Record<string, unknown> = {}) =>
    JSON.stringify(prompt(`good ${n}`, { ...FULL, ...more }));
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      `\ufeff${good(1)}`,
      `${good(2)}\r`,
      `${good(3).slice(0, 40)}${good(4)}`,
      `${good(5)}${good(6)}`,
      `\0\0\0\0${good(7)}`,
      "\0".repeat(12),
      "not JSON at all",
      "",
      '"a string"',
      `{"type":"user","uuid":"half","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"\\ud83d"}}`,
      `{"type":"user","uuid":"sep","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"a\u2028b"}}`,
      nested(100_000),
      `{"__proto__":{"type":"user"},"constructor":1,"type":"weather-report"}`,
      { type: "user", uuid: 7, parentUuid: ["x"], sessionId: {}, timestamp: null, message: "text" },
      { type: 5 },
      {},
      { type: "assistant", uuid: "bare" },
    ],
    [`projects/-home-dev-shop/${uuid(2)}.jsonl`]: [
      prompt("twice", FULL),
      prompt("twice", FULL),
      prompt("orphan", { ...FULL, parentUuid: "nowhere" }),
      prompt("own parent", { ...FULL, uuid: "self", parentUuid: "self" }),
      prompt("ring", { ...FULL, uuid: "ring-a", parentUuid: "ring-b" }),
      prompt("ring", { ...FULL, uuid: "ring-b", parentUuid: "ring-a" }),
      prompt("", {
        ...FULL,
        uuid: "early",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
      }),
      answer("call", {
        ...FULL,
        message: {
          id: "m",
          role: "assistant",
          content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }],
        },
      }),
      answer("silent", {
        ...FULL,
        message: {
          id: "n",
          role: "assistant",
          content: [{ type: "tool_use", id: "t2", name: "Bash", input: {} }, { type: "hologram" }],
        },
      }),
      prompt("", {
        ...FULL,
        uuid: "lost",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "gone", content: "?" }] },
      }),
      prompt("", { ...FULL, uuid: "shape", message: { role: "user", content: 5 } }),
      prompt("", {
        ...FULL,
        uuid: "svg",
        message: {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "PHN2Zz4=" } },
          ],
        },
      }),
      {
        type: "system",
        subtype: "compact_boundary",
        uuid: "b",
        parentUuid: null,
        logicalParentUuid: "elsewhere",
      },
    ],
    [`projects/-home-dev-shop/${uuid(2)}/subagents/agent-a1.jsonl`]: [
      prompt("unmarked", { ...FULL, agentId: "a1" }),
    ],
  });
  const invalid = Buffer.concat([
    Buffer.from('{"type":"user","message":{"role":"user","content":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}}\n'),
  ]);
  appendFileSync(join(root, `projects/-home-dev-shop/${uuid(1)}.jsonl`), invalid);
  appendFileSync(join(root, `projects/-home-dev-shop/${uuid(1)}.jsonl`), good(9).slice(0, 50));
  return root;
}

async function doctorOf(...roots: string[]): Promise<Doctor> {
  const catalog = new Catalog(roots.map((path) => ({ path, kind: "config" })));
  await catalog.list();
  return new Doctor(catalog, examine);
}

/** The report's text, with the sessions' names cut to their last digit and what this Node says of JSON left out. */
async function textOf(root: string, session: SessionId | null = null): Promise<string[]> {
  const text = formatDoctor(await (await doctorOf(root)).whole(session)).trimEnd();
  return text
    .replace(/[0-9-]{35}(\d)/g, "log-$1")
    .replace(/(Not JSON): .*/g, "$1")
    .split("\n");
}

const isFinding = (line: string) => /^(error|warning|info): /.test(line);

/** What follows a heading of the text, up to the next empty line. */
function under(lines: readonly string[], heading: string): string[] {
  const start = lines.findIndex((line) => line.startsWith(heading));
  const end = lines.indexOf("", start);
  return start === -1 ? [] : lines.slice(start, end === -1 ? undefined : end);
}

describe("a finding's place", () => {
  it.each<[string, () => Promise<OpenFolder>]>([
    ["bad lines", () => openFolder(badTree())],
    ["older", () => openFolder(join(FIXTURES, "older"))],
    ["from-the-future", () => openFolder(join(FIXTURES, "from-the-future"))],
    // In the recordings of before nothing is found.
    ...RECORDED_VERSIONS.slice(RECORDED_VERSIONS.indexOf("2.0.76")).map(
      (version): [string, () => Promise<OpenFolder>] => [
        version,
        async () => (await openRecording(version)).folder,
      ],
    ),
  ])("is a row of its session, in the thread that the answer names: %s", async (_, open) => {
    const folder = await open();
    const { findings } = await new Doctor(folder.catalog, examine).whole(null);
    const lost: string[] = [];
    let asked = 0;
    for (const { rule, places } of findings) {
      for (const { sessionId, recordId, file, line } of places) {
        if (sessionId === null || recordId === null) continue;
        asked += 1;
        const around = async (agent: AgentId | null) =>
          settled(() =>
            folder.sessions.rows(sessionId, {
              branch: null,
              agent,
              detail: "everything",
              fold: [],
              from: 0,
              count: 1,
              around: recordId,
            }),
          );
        const { at, elsewhere } = await around(null);
        const place = elsewhere ? (await around(elsewhere.agent)).at : at;
        if (place === null) lost.push(`${rule} ${file}:${line}`);
      }
    }
    expect(lost).toEqual([]);
    expect(asked).toBeGreaterThan(0);
  });
});

describe("the doctor on a tree with every bad line", () => {
  it("says how much was read, and what it gave", async () => {
    const lines = await textOf(badTree());
    expect(lines.slice(0, 2)).toEqual([
      "read: 2 sessions, 3 files, 204 kB (204,441 bytes)",
      "found: 32 lines, 29 records, 6 unreadable, 4 salvaged, 3 of unknown type",
    ]);
  });

  it("names the first places of everything that is wrong", async () => {
    const lines = await textOf(badTree());
    expect(lines.slice(lines.findIndex(isFinding)).filter((line) => line !== "")).toEqual([
      "error: Unreadable bytes: 6 in 1 file [unreadable]",
      "  log-1.jsonl:3, bytes 354–394: 40 bytes of a record that was cut off",
      "  log-1.jsonl:5, bytes 918–922: 4 NUL bytes",
      "  log-1.jsonl:6, bytes 1097–1109: The line is 12 NUL bytes",
      "  log-1.jsonl:7, bytes 1110–1125: Not JSON",
      "  log-1.jsonl:8, bytes 1126–1126: The line is empty",
      "  … and 1 more",
      "warning: Records saved from damaged lines: 4 in 1 file [salvaged]",
      "  log-1.jsonl:3, bytes 394–568: a record of type user",
      "  log-1.jsonl:4, bytes 569–743: a record of type user",
      "  log-1.jsonl:4, bytes 743–917: a record of type user",
      "  log-1.jsonl:5, bytes 922–1096: a record of type user",
      "info: Files whose last line has no newline: 1 in 1 file [unfinished-line]",
      "  log-1.jsonl:19, bytes 201717–201767: 50 bytes, still being written or cut off",
      "warning: Lines that are not valid UTF-8: 1 in 1 file [invalid-utf8]",
      "  log-1.jsonl:18, bytes 201660–201716: bytes that are no character are shown as U+FFFD",
      "info: Lines with half a surrogate pair: 1 in 1 file [lone-surrogate]",
      "  log-1.jsonl:10, bytes 1138–1281: \\ud83d",
      "info: Files that start with a byte order mark: 1 in 1 file [byte-order-mark]",
      "  log-1.jsonl:1, bytes 0–3: EF BB BF",
      "info: Lines that end in CR LF: 1 in 1 file [carriage-return]",
      "  log-1.jsonl:2, bytes 178–353: CR LF",
      "warning: Lines nested deeper than 256 levels: 1 in 1 file [deep]",
      "  log-1.jsonl:12, bytes 1424–201447: 100,001 levels",
      "warning: Records of a type that is not known: 3 in 1 file [unknown-type]",
      "  log-1.jsonl:13, bytes 201448–201517: weather-report",
      "  log-1.jsonl:15, bytes 201611–201621: no type",
      "  log-1.jsonl:16, bytes 201622–201624: no type",
      "warning: Content blocks of a type that is not known: 1 in 1 file [unknown-block]",
      "  log-2.jsonl:9, bytes 1492–1730: hologram",
      "warning: Messages without a required field: 3 in 1 file [required-fields]",
      "  log-1.jsonl:12, bytes 1424–201447: without uuid, parentUuid, sessionId, timestamp, message",
      "  log-1.jsonl:17, bytes 201625–201659: without parentUuid, sessionId, timestamp, message",
      "  log-1.jsonl:18, bytes 201660–201716: without uuid, parentUuid, sessionId, timestamp",
      "warning: Fields of another type than they should have: 2 in 1 file [wrong-type]",
      "  log-1.jsonl:14, bytes 201518–201610: uuid: number, parentUuid: array, sessionId: object, message: string",
      "  log-1.jsonl:15, bytes 201611–201621: type: number",
      "warning: UUIDs that occur twice in a session: 1 in 1 file [duplicate-uuid]",
      "  log-2.jsonl:2, bytes 173–345: u-twice",
      "warning: Parents that are not in the session: 1 in 1 file [dangling-parent]",
      "  log-2.jsonl:3, bytes 346–525: nowhere",
      "error: Parents that lead back to their child: 2 in 1 file [parent-cycle]",
      "  log-2.jsonl:4, bytes 526–702: its own parent",
      "  log-2.jsonl:5, bytes 703–877: a ring of 2 records",
      "info: Compactions whose last message is not in the session: 1 in 1 file [dangling-boundary]",
      "  log-2.jsonl:13, bytes 2372–2479: elsewhere",
      "warning: Results whose call is not in the session: 1 in 1 file [result-without-call]",
      "  log-2.jsonl:10, bytes 1731–1952: gone",
      "info: Results that come before their call: 1 in 1 file [result-before-call]",
      "  log-2.jsonl:7, bytes 1053–1274: t1",
      "info: Calls without a result: 1 in 1 file [call-without-result]",
      "  log-2.jsonl:9, bytes 1492–1730: t2",
      "warning: Lines of an agent's file that are not marked as a sidechain: 1 in 1 file [sidechain-mark]",
      "  log-2/subagents/agent-a1.jsonl:1, bytes 0–193: type user",
      "warning: Messages whose content is neither text nor blocks: 1 in 1 file [content-shape]",
      "  log-2.jsonl:11, bytes 1953–2117: content: number",
      "warning: Images that are not base64 of a known type: 1 in 1 file [image-encoding]",
      "  log-2.jsonl:12, bytes 2118–2371: image: media type image/svg+xml",
    ]);
  });

  it("reports one session alone, by its id", async () => {
    const lines = await textOf(badTree(), uuid(2) as SessionId);
    expect(lines.slice(0, 3)).toEqual([
      "session log-2 “twice”",
      "",
      expect.stringContaining("1 session, 2 files"),
    ]);
    expect(lines.filter(isFinding)).toContain(
      "warning: UUIDs that occur twice in a session: 1 in 1 file [duplicate-uuid]",
    );
    expect(under(lines, "content blocks")).toEqual([
      "content blocks",
      "  text: 7",
      "  tool_result: 2",
      "  tool_use: 2",
      "  hologram: 1 — not known",
      "  image: 1",
    ]);
  });

  it("examines again only what has changed", async () => {
    const root = badTree();
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    const examined: string[] = [];
    const doctor = new Doctor(catalog, (request, onProgress) => {
      examined.push(String(request.files[0]?.name.slice(-7, -6)));
      return examine(request, onProgress);
    });
    const first = await doctor.whole(null);
    expect(await doctor.whole(null)).toBe(first);
    appendFileSync(
      join(root, `projects/-home-dev-shop/${uuid(2)}.jsonl`),
      `${JSON.stringify(prompt("more", FULL))}\n`,
    );
    await catalog.list();
    const second = await doctor.whole(null);
    expect({ examined, grown: second.records - first.records }).toEqual({
      examined: ["1", "2", "2"],
      grown: 1,
    });
  });

  it("names a file that cannot be read, and reports the others", async () => {
    const root = badTree();
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    rmSync(join(root, `projects/-home-dev-shop/${uuid(1)}.jsonl`));
    const report = await new Doctor(catalog, examine).whole(null);
    expect(report.unread.map(({ file, message }) => `${file.slice(-7)}: ${message}`)).toEqual([
      "1.jsonl: This log is no longer there",
    ]);
    expect(report.records).toBe(14);
  });
});

describe("the doctor on sessions whose logs are gone", () => {
  it("says which are only kept, and reads them", async () => {
    const log = (nth: number) => `projects/-a/${uuid(nth)}.jsonl`;
    const root = makeTree({ [log(1)]: [prompt("one")], [log(2)]: [prompt("two")] });
    using _ = await keepFolder(root);
    const kept = async () => (await textOf(root)).filter((line) => /^(read|kept): /.test(line));
    const read = expect.stringMatching(/^read: 2 sessions, 2 files/);
    expect(await kept()).toEqual([read]);
    rmSync(join(root, log(1)));
    const one = expect.stringMatching(
      /^kept: 1 session \(1 file, \d+ B\) only in the archive, no longer on disk$/,
    );
    expect(await kept()).toEqual([read, one]);
    rmSync(join(root, "projects"), { recursive: true });
    expect(await kept()).toEqual([read, expect.stringMatching(/^kept: 2 sessions \(2 files, /)]);
  });
});

describe("the doctor on recordings", () => {
  const VERSIONS = ["1.0.128", "2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110", "2.1.330"];
  let report: DoctorReport;

  beforeAll(async () => {
    report = await (await doctorOf(...VERSIONS.map((version) => join(FIXTURES, version)))).whole(null);
  });

  it("finds no byte that is no record, and no type that it does not know", () => {
    const { unreadable, salvaged, unknown, unread } = report;
    expect({ unreadable, salvaged, unknown, unread }).toEqual({
      unreadable: 0,
      salvaged: 0,
      unknown: 0,
      unread: [],
    });
    expect(report.lines).toBe(report.records);
  });

  it("counts the records of every version", () => {
    const counted = report.versions.reduce((sum, { records }) => sum + records, 0);
    expect(counted).toBe(report.records);
    expect(report.versions.map(({ version }) => version).filter(Boolean)).toEqual(VERSIONS);
  });

  it("finds no rule broken", () => {
    expect(report.findings).toEqual([]);
  });

  it("breaks one session down: types, stop reasons, blocks, tools, by version", async () => {
    const session = "bcdf60d2-e6d0-47da-8505-e1c657444ca6" as SessionId;
    expect(await textOf(join(FIXTURES, "2.0.76"), session)).toEqual([
      "session bcdf60d2-e6d0-47da-8505-e1c657444ca6 “Delegate. SCENARIO:task-parallel”",
      "",
      "read: 1 session, 6 files, 36 kB (36,220 bytes)",
      "found: 48 lines, 48 records, 0 unreadable, 0 salvaged, 0 of unknown type",
      "",
      "client versions",
      "  (none named): 6 records in 1 file",
      "  2.0.76: 42 records in 6 files",
      "",
      "record types",
      "  assistant: 22 (2.0.76)",
      "  user: 20 (2.0.76)",
      "  queue-operation: 4",
      "  file-history-snapshot: 2",
      "",
      "stop reasons",
      "  null: 14 (2.0.76)",
      "  tool_use: 6 (2.0.76)",
      "  end_turn: 2 (2.0.76)",
      "",
      "content blocks",
      "  text: 15 (2.0.76)",
      "  tool_result: 13 (2.0.76)",
      "  tool_use: 13 (2.0.76)",
      "  thinking: 1 (2.0.76)",
      "",
      "tools",
      "  Bash: 5 (2.0.76)",
      "  Read: 3 (2.0.76)",
      "  Task: 3 (2.0.76)",
      "  KillShell: 1 (2.0.76)",
      "  TaskOutput: 1 (2.0.76)",
      "",
      "nothing to report",
    ]);
  });
});
