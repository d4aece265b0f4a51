import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madeComment } from "@/lib/testing/library/made-comment";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { LogWriter } from "@/lib/testing/log-writer";
import { gathered, idOf, type OpenFolder, openFolder } from "@/lib/testing/transcript";
import type { Annotation } from "@/lib/wire/annotations";
import { EXPORT_FORMAT_IDS, type ExportFormat, WITH_COMMENTS } from "@/lib/wire/export-formats.mjs";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { choose, type WantedPart, WHOLE } from "./chosen-part";
import { exportSession } from "./export-session";
import { eachRow } from "./exported-threads";

/** A session of two turns, in whose first one an agent works and a branch was left, and its exports with comments. */
async function commented() {
  const root = makeTree({});
  const project = join(root, "projects/-home-dev-bench");
  mkdirSync(project, { recursive: true });
  const log = new LogWriter(join(project, `${uuid(1)}.jsonl`));
  log.prompt("Fix the `total`");
  const fork = log.lastLine;
  log.say("On a branch that was left");
  log.goBackTo(fork);
  log.startAgent("a1", "Look around").say("Two places");
  log.result(log.call("Bash", { command: "npm test" }), "2 failed");
  log.say("Done\n\n- really");
  log.prompt("And the second");
  log.say("Also done");
  const folder = await openFolder(root);
  const id = idOf(folder, uuid(1));
  const rows: Row[] = [];
  for (const agent of [null, "a1"])
    for await (const row of eachRow(folder.sessions, id, agent as never, "everything")) rows.push(row);
  const place = (text: string, kinds = ["turn", "text", "tool"]) => {
    const row = rows.find((one) => kinds.includes(one.kind) && JSON.stringify(one).includes(text));
    if (!row) throw new Error(`no row says ${text}`);
    return { recordId: row.recordId, block: row.block };
  };
  const exported = async (
    format: ExportFormat,
    comments: readonly Annotation[] | null,
    wanted: Partial<WantedPart> = {},
  ) => {
    const choice = await choose(folder.sessions, id, { ...WHOLE, ...wanted });
    const files = folder.catalog.sessionFiles(id);
    const { pieces } = await exportSession(folder.sessions, files, { format, choice, comments });
    const bytes = await gathered(pieces as AsyncIterable<string | Uint8Array>);
    return Buffer.concat(bytes.map((piece) => Buffer.from(piece))).toString();
  };
  const left = await openLeftBranch(folder, id);
  return { rows, place, exported, left };
}

/** The record of the answer on the branch that was left. */
async function openLeftBranch({ sessions }: OpenFolder, id: SessionId) {
  const session = await sessions.latest(id);
  for (const branch of session.graph.branches[0] ?? []) {
    const part = await choose(sessions, id, {
      ...WHOLE,
      branch: session.recordId(branch.leaf) as string as BranchId,
    });
    if (part.number === 2) return session.recordId(branch.leaf);
  }
  throw new Error("no other branch");
}

const AT_WORDS = { range: { from: 4, to: 11 }, quote: { exact: "the `total`", prefix: "", suffix: "" } };

test("in Markdown each thread stands below what it is about, and says whose it is", async () => {
  const { place, exported } = await commented();
  const first = madeComment(
    "Which *one*?\n\n```\nopen",
    { resolvedAtMs: 9 },
    { ...place("Fix the"), ...AT_WORDS },
  );
  const text = await exported("md", [
    first,
    madeComment("The first\n\n# one", { replyTo: first.id, author: "Ann_a *b*" }),
    madeComment("Too slow", { editedAtMs: 5, author: "" }, place("npm test")),
    madeComment("See there", {}, place("Two places", ["text"])),
  ]);
  const lines = text.split("\n");
  const at = (line: string) => {
    const found = lines.findIndex((one) => one.includes(line));
    expect(found, line).toBeGreaterThan(-1);
    return found;
  };
  const order = [
    "> Fix the `total`",
    "> > the `total`",
    "> Which *one*?",
    "> The first",
    "**Bash**",
    "Too slow",
    "Done",
    "And the second",
    '<a id="agent-',
    "See there",
  ];
  const places = order.map(at);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(lines[at("_Comment · the person who shared this ·")]).toMatch(/^> _.* · resolved_$/);
  expect(lines[at("_Reply ·")]).toMatch(/^> _Reply · Ann\\_a \\\*b\\\* \(guest\) · /);
  expect(lines[at("_Comment · a guest ·")]).toMatch(/ · edited_$/);
  // What a comment leaves open ends with its quote: every line of it is one of the quote.
  expect(lines.slice(at("> Which *one*?"), at("> # one") + 1).every((line) => line.startsWith(">"))).toBe(
    true,
  );
});

test("of a whole session those on other branches, and on lines that are gone, stand at the end; of a part they do not", async () => {
  const { place, exported, left } = await commented();
  const comments = [
    madeComment("Kept", {}, place("And the second")),
    madeComment("On the other branch", {}, { recordId: left }),
    madeComment("Lost", { state: "detached" }, place("Fix the")),
    madeComment("First turn", {}, place("npm test")),
  ];
  for (const format of WITH_COMMENTS) {
    const whole = await exported(format, comments);
    for (const { body } of comments) expect(whole, `${format} ${body}`).toContain(body);
    const part = await exported(format, comments, { turns: { from: 2, to: 2 } });
    expect(part, format).toContain("Kept");
    for (const body of ["On the other branch", "Lost", "First turn"])
      expect(part, format).not.toContain(body);
    const withoutTools = await exported(format, comments, { tools: false });
    expect(withoutTools, format).not.toContain("First turn");
  }
  expect(await exported("md", comments)).toMatch(/# Comments on lines that are not shown here\n\n> _Comment/);
  expect(await exported("md", comments.slice(0, 1))).not.toContain("# Comments on");
});

test("JSON has them as the API does, each with its answers, and nothing of them where none were asked for", async () => {
  const { place, exported } = await commented();
  const first = madeComment("One", {}, place("npm test"));
  const answer = madeComment("Two", { replyTo: first.id });
  const json = JSON.parse(await exported("json", [first, answer]));
  expect(json.comments).toEqual([first, answer]);
  expect(JSON.parse(await exported("json", [])).comments).toEqual([]);
  expect(Object.keys(JSON.parse(await exported("json", null)))).toEqual(["session", "rows", "agents"]);
});

test("a comment is text in HTML, whatever it says, and is written once for those who run no scripts", async () => {
  const { place, exported } = await commented();
  const body = "</aside><script>alert(1)</script>";
  const text = await exported("html", [madeComment(body, { author: "<b>Ann</b>" }, place("npm test"))]);
  const statically = text.slice(text.lastIndexOf("<main>"));
  expect(statically.split('<aside class="comment"').length).toBe(2);
  expect(text).not.toContain("<script>alert(1)");
  expect(text).not.toContain("<b>Ann</b>");
});

test("a call's comments stand behind what its agents did, outside of what is folded away", async () => {
  const { exported, rows } = await commented();
  const call = rows.find((row) => row.kind === "tool" && row.agent !== null) as Row;
  const text = await exported("html", [madeComment("About the agent", {}, call)]);
  const statically = text.slice(text.lastIndexOf("<main>"));
  const before = statically.slice(0, statically.indexOf("About the agent"));
  expect(before).toContain("Two places");
  expect(before.split("<details").length).toBe(before.split("</details>").length);
});

test.each(EXPORT_FORMAT_IDS.filter((format) => !WITH_COMMENTS.includes(format)))(
  "%s refuses comments, and says which formats take them",
  async (format) => {
    const { exported } = await commented();
    await expect(exported(format, [])).rejects.toMatchObject({
      code: "not-in-format",
      hint: "Take format=html or md or json, or ask for it without comments.",
    });
  },
);
