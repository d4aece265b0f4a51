import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { bundleProgram } from "@/lib/testing/programs/run-program";
import { runs, seededRandom } from "@/lib/testing/runs";
import type { AnnotationKind, ProjectMarks, SessionMarks } from "@/lib/wire/annotations";
import type { ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";
import { AnnotationBody, AnnotationImportBody } from "@/lib/wire/requests";
import { Annotations } from "./annotations";
import { toCollection } from "./web-annotation";

const ID = uuid(1) as SessionId;
const OTHER = uuid(2) as SessionId;
const LOG = `projects/-home-dev-shop/${ID}.jsonl`;

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-annotations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const NO_SESSIONS = () => Promise.reject(new Error("No session is read"));

function open(
  folder: string | null = scratch(),
  latest: ConstructorParameters<typeof Annotations>[1]["latest"] = NO_SESSIONS,
) {
  const marks = new Map<SessionId | null, SessionMarks | null>();
  const projects = new Map<ProjectId, ProjectMarks | null>();
  const said: { warnings: Warning[] } = { warnings: [] };
  const annotations = new Annotations(folder, {
    latest,
    changed: (id, one) => void marks.set(id, one),
    projectChanged: (id, one) => void projects.set(id, one),
    warn: (all) => void (said.warnings = all),
  });
  onTestFinished(() => annotations.stop());
  return { annotations, marks, projects, said, folder: folder ?? "" };
}

let made = 0;
const newId = () => `test-id-${++made}`;

function body(kind: AnnotationKind, text = "", more: object = {}) {
  return AnnotationBody.parse({ id: newId(), kind, target: { sessionId: ID }, body: text, ...more });
}

const comment = (text: string, target: object, more: object = {}) =>
  AnnotationBody.parse({
    id: newId(),
    kind: "comment",
    target: { sessionId: ID, ...target },
    body: text,
    ...more,
  });

const said = async (annotations: Annotations, session: SessionId | null = ID) =>
  (await annotations.list(session)).annotations.map(
    ({ kind, body: text, state }) => `${kind} ${text} ${state}`,
  );

test("annotations of a session are there for the next server, and make its marks", async () => {
  const first = open();
  await first.annotations.add(body("star"));
  await first.annotations.add(body("tag", "retry"));
  await first.annotations.add(body("tag", "Flaky"));
  await first.annotations.add(body("name", "The flaky test"));
  await first.annotations.add(body("note", "Ask Anna"));
  const marks = {
    ...{ starred: true, hidden: false, name: "The flaky test", tags: ["Flaky", "retry"], note: "Ask Anna" },
    ...{ bookmarks: 0, openComments: 0, comments: 0 },
  };
  expect(first.marks.get(ID)).toEqual(marks);
  const next = open(first.folder);
  await next.annotations.start();
  expect(next.marks.get(ID)).toEqual(marks);
  expect(await said(next.annotations)).toEqual(await said(first.annotations));
});

test("annotations of a project are its own, for every server, until they are removed", async () => {
  const project = "p1" as ProjectId;
  const target = { projectId: project };
  const folder = scratch();
  const [writer, reader] = [open(folder), open(folder)];
  await reader.annotations.start();
  await writer.annotations.add(body("note", "Old prototype", { target }));
  const { id } = await writer.annotations.add(body("hidden", "", { target }));
  await writer.annotations.add(body("star", "", { target: { projectId: "p2" as ProjectId } }));
  expect(writer.projects.get(project)).toEqual({ starred: false, hidden: true, note: "Old prototype" });
  expect(writer.marks.has(ID)).toBe(false);
  await expect.poll(() => reader.projects.size).toBe(2);
  await writer.annotations.remove(id);
  await expect.poll(() => reader.projects.get(project)?.hidden).toBe(false);
  // Another file in its place has none of them.
  rmSync(join(folder, "annotations.jsonl"));
  await reader.annotations.list(null);
  expect([...reader.projects.values()]).toEqual([null, null]);
});

test("an annotation that was changed meanwhile is not removed by a writer who has not seen that", async () => {
  const { annotations } = open();
  const note = await annotations.add(body("note", "first"));
  await annotations.change(note.id, { body: "second" });
  await expect(annotations.remove(note.id, { revision: note.revision })).rejects.toMatchObject({
    code: "annotation-changed",
  });
  expect(await said(annotations)).toEqual(["note second anchored"]);
  const [{ revision } = note] = (await annotations.list(ID)).annotations;
  await annotations.remove(note.id, { revision });
  expect(await said(annotations)).toEqual([]);
});

test("an annotation that is requested twice with one id is added once", async () => {
  const { annotations } = open();
  const star = body("star");
  const [one, again] = [await annotations.add(star), await annotations.add(star)];
  expect(again).toEqual(one);
  expect((await annotations.list(null)).annotations).toHaveLength(1);
  await annotations.remove(star.id);
  await annotations.remove(star.id);
  await expect(annotations.add(star)).rejects.toMatchObject({ code: "annotation-removed" });
  await expect(annotations.remove("never-there")).rejects.toMatchObject({ code: "annotation-not-found" });
});

test("a star that two windows set is one, and is removed by the id of either", async () => {
  const { annotations, marks } = open();
  const [one, other] = [body("star"), body("star")];
  await annotations.add(one);
  expect((await annotations.add(other)).id).toBe(one.id);
  await annotations.remove(other.id);
  expect(marks.get(ID)).toBeNull();
  await annotations.add(body("star"));
  expect(marks.get(ID)?.starred).toBe(true);
});

test("every saved search stays, and one that is saved again is one", async () => {
  const { annotations } = open();
  const save = (query: string) => annotations.add(body("search", query, { target: {} }));
  const saved = async () => (await annotations.list(null, ["search"])).annotations.map((one) => one.body);
  const first = await save("tool:bash");
  await save("is:error");
  expect((await save("tool:bash")).id).toBe(first.id);
  expect(await saved()).toEqual(["tool:bash", "is:error"]);
  await annotations.remove(first.id);
  expect(await saved()).toEqual(["is:error"]);
});

test("the later one of two edits of a text is refused, and loses nothing", async () => {
  const { annotations } = open();
  const note = await annotations.add(body("note", "one"));
  const edited = await annotations.change(note.id, { body: "two", revision: note.revision });
  await expect(annotations.change(note.id, { body: "2", revision: note.revision })).rejects.toMatchObject({
    code: "annotation-changed",
    status: 409,
  });
  // The same again is what is there, as after an answer that was lost.
  expect(await annotations.change(note.id, { body: "two", revision: note.revision })).toEqual(edited);
  await expect(annotations.add(body("note", "another"))).rejects.toMatchObject({
    code: "annotation-changed",
  });
  expect(await said(annotations)).toEqual(["note two anchored"]);
});

test("the text of an annotation has the maximum length of its kind", async () => {
  const { annotations } = open();
  const name = await annotations.add(body("name", "one"));
  const tag = await annotations.add(body("tag", "one"));
  const refused = { code: "bad-parameter", status: 400 };
  await expect(annotations.change(name.id, { body: "x".repeat(201) })).rejects.toMatchObject(refused);
  await expect(annotations.change(tag.id, { body: "two" })).rejects.toMatchObject(refused);
  expect((await annotations.change(name.id, { body: "two" })).body).toBe("two");
});

test("two servers with one folder agree on the order of simultaneous writes", async () => {
  const folder = scratch();
  const servers = [open(folder), open(folder)] as const;
  const notes = Array.from({ length: 40 }, (_, n) =>
    body("tag", `t${n}`, { target: { sessionId: n % 2 ? ID : OTHER } }),
  );
  await Promise.all(notes.map((note, n) => servers[n % 2 === 0 ? 0 : 1].annotations.add(note)));
  const name = await servers[0].annotations.add(body("name", "first"));
  const renamed = await Promise.allSettled(
    servers.map(({ annotations }, n) =>
      annotations.change(name.id, { body: `by ${n}`, revision: name.revision }),
    ),
  );
  expect(renamed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [one, other] = await Promise.all(servers.map(({ annotations }) => annotations.list(null)));
  expect(one).toEqual(other);
  expect(one?.annotations).toHaveLength(41);
});

test("a server reports another server's writes without a request", async () => {
  const folder = scratch();
  const [writer, reader] = [open(folder), open(folder)];
  await reader.annotations.start();
  await writer.annotations.add(body("star"));
  await expect.poll(() => reader.marks.get(ID)?.starred).toBe(true);
});

test("a bug while another server's writes are taken over is reported on the console; a file that cannot be read is not", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  const folder = scratch();
  const writer = open(folder).annotations;
  let changes = 0;
  let isBroken = true;
  const reader = new Annotations(folder, {
    latest: NO_SESSIONS,
    projectChanged: () => undefined,
    warn: () => undefined,
    changed: () => {
      changes += 1;
      if (isBroken && changes > 1) throw new TypeError("a bug");
    },
  });
  onTestFinished(() => reader.stop());
  await reader.start();
  await writer.add(body("star"));
  await expect.poll(() => changes).toBe(1);
  expect(reported).not.toHaveBeenCalled();
  await writer.add(body("tag", "retry"));
  await expect.poll(() => reported.mock.calls.map((said) => String(said[1]))).toContain("TypeError: a bug");
  isBroken = false;
  reported.mockClear();
  rmSync(join(folder, "annotations.jsonl"));
  mkdirSync(join(folder, "annotations.jsonl"));
  await expect(reader.list(null)).rejects.toMatchObject({ code: "annotations-unreadable" });
  expect(reported).not.toHaveBeenCalled();
});

test("a log that is cut anywhere in its last line loses only that line, and accepts the next", async () => {
  const { annotations, folder } = open();
  const kept = await annotations.add(body("note", "Kept"));
  const path = join(folder, "annotations.jsonl");
  const before = readFileSync(path);
  await annotations.add(body("note", "torn é", { target: { sessionId: OTHER } }));
  const after = readFileSync(path);
  expect(after.length - before.length).toBeGreaterThan(200);
  for (let cut = before.length; cut < after.length - 1; cut++) {
    writeFileSync(path, after.subarray(0, cut));
    const next = open(folder).annotations;
    await next.add(body("tag", `after ${cut}`));
    const { annotations: all } = await next.list(null);
    // Without its newline a line may be whole all the same: the next one brings it.
    expect(all.map(({ body: text }) => text).filter((text) => !text.startsWith("torn"))).toEqual([
      kept.body,
      `after ${cut}`,
    ]);
  }
});

test("lines of a newer version stay, and readers are told how many there are", async () => {
  const { annotations, folder, said: told } = open();
  await annotations.add(body("star"));
  appendFileSync(join(folder, "annotations.jsonl"), '\n{"op":"glow","id":"x"}\n');
  await annotations.add(body("tag", "a"));
  expect(told.warnings.map(({ message }) => message)).toEqual([
    "A newer Backscroll wrote 1 annotation that this one can’t read",
  ]);
  expect((await annotations.list(null)).sequence).toBe(3);
});

test("a line with a moment that no date has keeps nothing else from being exported", async () => {
  const { annotations, folder } = open();
  await annotations.add(body("tag", "sound"));
  const path = join(folder, "annotations.jsonl");
  const line = readFileSync(path, "utf8")
    .trim()
    .replace(/test-id-\d+/, "odd")
    .replace('"sound"', '"odd"');
  appendFileSync(path, `\n${line.replace(/"createdAtMs":\d+/, '"createdAtMs":1e300')}\n`);
  const { annotations: all } = await annotations.list(null);
  expect(toCollection(all)).toMatchObject({ total: 1 });
});

test("a damaged line stays where it is, and readers are told of it until it is mended", async () => {
  const { annotations, folder } = open();
  const path = join(folder, "annotations.jsonl");
  await annotations.add(body("note", "Damaged later"));
  await annotations.add(body("tag", "sound"));
  const sound = readFileSync(path);
  const damaged = Buffer.from(sound);
  damaged.fill(0, 40, 60);
  writeFileSync(path, damaged);
  const next = open(folder);
  await next.annotations.start();
  expect(next.said.warnings).toMatchObject([
    {
      code: "annotations-damaged",
      message: "1 line of the file of annotations can’t be read, at byte 1",
      path,
    },
  ]);
  await next.annotations.add(body("tag", "added"));
  expect(readFileSync(path).subarray(0, damaged.length)).toEqual(damaged);
  expect((await next.annotations.list(null)).annotations.map(({ body: text }) => text)).toEqual([
    "sound",
    "added",
  ]);
  rmSync(path);
  writeFileSync(path, sound);
  expect((await next.annotations.list(null)).annotations).toHaveLength(2);
  expect(next.said.warnings).toEqual([]);
});

test("a folder or a pipe in the file’s place is told once, never waited for, and no longer when it is gone", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  for (const make of [(path: string) => mkdirSync(path), (path: string) => execFileSync("mkfifo", [path])]) {
    if (process.platform === "win32" && make.toString().includes("mkfifo")) continue;
    const folder = scratch();
    const path = join(folder, "annotations.jsonl");
    make(path);
    const { annotations, said: told } = open(folder);
    await annotations.start();
    expect(told.warnings).toMatchObject([{ code: "annotations-unreadable", path }]);
    expect(told.warnings[0]?.hint).toContain("Move it away");
    await expect(annotations.add(body("star"))).rejects.toMatchObject({ code: "annotations-unreadable" });
    rmSync(path, { recursive: true });
    await annotations.add(body("star"));
    expect(told.warnings).toEqual([]);
  }
  expect(reported).not.toHaveBeenCalled();
});

test("a line that is longer than any event is told at once and passed over; all around it is read", async () => {
  const { annotations, folder, said: told } = open();
  await annotations.add(body("tag", "before"));
  const path = join(folder, "annotations.jsonl");
  const before = readFileSync(path).length;
  appendFileSync(path, "x".repeat(9 << 20));
  expect((await annotations.list(null)).annotations).toHaveLength(1);
  expect(told.warnings[0]?.message).toContain(`at byte ${before.toLocaleString("en")}`);
  await annotations.add(body("tag", "after"));
  appendFileSync(path, "\n".repeat(3 << 20));
  await annotations.add(body("tag", "behind empty lines"));
  for (const reader of [annotations, open(folder).annotations])
    expect((await reader.list(null)).annotations.map(({ body: text }) => text)).toEqual([
      "before",
      "after",
      "behind empty lines",
    ]);
  expect(told.warnings).toHaveLength(1);
});

test("what was acknowledged as written is there after kill -9", async () => {
  const bundled = scratch();
  const program = await bundleProgram("annotate", bundled);
  const random = seededRandom(19);
  const folder = scratch();
  const written: string[] = [];
  for (let run = 0; run < runs(6, 220); run++) {
    const child = spawn(process.execPath, [program, folder]);
    const wanted = 1 + random(40);
    let text = "";
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.split("\n").length > wanted) child.kill("SIGKILL");
      });
      child.once("close", () => resolve());
    });
    written.push(...text.split("\n").slice(0, -1));
  }
  const { annotations } = await open(folder).annotations.list(null);
  const there = new Set(annotations.map(({ id }) => id));
  expect(written.filter((id) => !there.has(id))).toEqual([]);
  expect(there.size).toBeGreaterThanOrEqual(written.length);
});

const lines = [
  prompt("Fix the *flaky* test\nof the retries", { uuid: uuid(11), parentUuid: null }),
  answer("I will **look** at `retry.ts` first.\n\nThen at retry.ts again.", {
    uuid: uuid(12),
    parentUuid: uuid(11),
  }),
];

async function inTree(files: Record<string, readonly Record<string, unknown>[]> = { [LOG]: lines }) {
  const root = makeTree(files);
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const sessions = createSessions(catalog, { scan });
  const opened = open(scratch(), async (id) => {
    await catalog.refresh(id);
    return sessions.latest(id);
  });
  const at = async (n: number) => {
    const session = await sessions.latest(ID);
    return session.recordId(session.findUuid(uuid(n)));
  };
  return { ...opened, root, catalog, at };
}

test("annotations of a log that is removed while they are looked for are detached, as behind that", async () => {
  const root = makeTree({ [LOG]: lines });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const sessions = createSessions(catalog, { scan });
  let isRemoved = false;
  const { annotations } = open(scratch(), async (id) => {
    const session = await sessions.latest(id);
    if (isRemoved) rmSync(join(root, LOG), { force: true });
    return session;
  });
  const session = await sessions.latest(ID);
  await annotations.add(comment("Why?", { recordId: session.recordId(session.findUuid(uuid(12))) }));
  expect(await said(annotations)).toEqual(["comment Why? anchored"]);
  isRemoved = true;
  expect(await said(annotations)).toEqual(["comment Why? detached"]);
});

test("a comment stores where in the raw text the selection on the page is", async () => {
  const { annotations, at } = await inTree();
  const recordId = await at(12);
  const select = async (text: string, before = "") =>
    (await annotations.add(comment("?", { recordId, block: 0, selected: { text, before } }))).target;
  expect(await select("look at retry.ts first.")).toMatchObject({
    quote: {
      exact: "look** at `retry.ts` first.",
      prefix: "I will **",
      suffix: "\n\nThen at retry.ts again.",
    },
    range: { from: 9, to: 36 },
    uuid: uuid(12),
  });
  expect((await select("retry.ts", "first. Then at ")).range).toEqual({ from: 46, to: 54 });
  expect(await select("made by the page")).toMatchObject({
    range: null,
    quote: { exact: "made by the page" },
  });
});

test("a quote of Markdown also says how it reads on the page, and that of an imported comment does", async () => {
  const { annotations, at } = await inTree();
  const [ofPrompt, recordId] = [await at(11), await at(12)];
  const shownOf = async (selected: { text: string; before: string } | null, id = recordId) =>
    (await annotations.add(comment("?", { recordId: id, block: 0, selected }))).target.quote?.shown;
  expect(await shownOf({ text: "look at retry.ts first.", before: "I will " })).toBe(
    "look at retry.ts first.",
  );
  // A selection may end between two marks that belong together.
  expect(await shownOf({ text: "will lo", before: "I " })).toBe("will lo");
  expect(await shownOf({ text: "Then at", before: "first. " })).toBeUndefined();
  expect(await shownOf(null)).toBe("I will look at retry.ts first.\nThen at retry.ts again.");
  // The first line of a prompt is shown as it was typed.
  expect(await shownOf({ text: "Fix the flaky test", before: "" }, ofPrompt)).toBeUndefined();
  const { annotations: all } = await annotations.list(ID);
  const { first } = JSON.parse(JSON.stringify(toCollection(all)).replaceAll("test-id-", "other-id-")) as {
    first: { items: unknown[] };
  };
  expect(JSON.stringify(first)).not.toContain("shown");
  expect(await annotations.import(first.items)).toMatchObject({ added: 5 });
  const both = (await annotations.list(ID)).annotations.map(({ target }) => target.quote?.shown);
  expect(both).toHaveLength(10);
  expect(both.slice(5)).toEqual(both.slice(0, 5));
});

test("comments are where their lines are: in place, moved, changed, or gone and kept", async () => {
  const { annotations, at, root, catalog } = await inTree();
  await annotations.add(comment("on the prompt", { recordId: await at(11) }));
  const selected = { text: "retry.ts again", before: "Then at" };
  await annotations.add(comment("on words", { recordId: await at(12), block: 0, selected }));
  await annotations.add(
    comment("on another word", { recordId: await at(12), block: 0, selected: { text: "look" } }),
  );
  expect(await said(annotations)).toEqual([
    "comment on the prompt anchored",
    "comment on words anchored",
    "comment on another word anchored",
  ]);
  const [first, second] = lines as [Record<string, unknown>, Record<string, unknown>];
  const changed = answer("First of all:\n\nThen at retry.ts again.", {
    uuid: uuid(12),
    parentUuid: uuid(11),
  });
  writeFileSync(
    join(root, LOG),
    toText([prompt("Before", { uuid: uuid(10), parentUuid: null }), first, changed]),
  );
  const later = (await annotations.list(ID)).annotations;
  expect(later.map(({ state }) => state)).toEqual(["moved", "moved", "detached"]);
  expect(later[0]?.target.recordId).toBe(await at(11));
  expect(later[1]?.target.range).toEqual({ from: 23, to: 37 });
  // Back as it was: nothing of this was written down.
  writeFileSync(join(root, LOG), toText([first, second]));
  expect((await said(annotations)).every((one) => one.endsWith(" anchored"))).toBe(true);
  rmSync(join(root, LOG));
  await catalog.list();
  expect((await said(annotations)).every((one) => one.endsWith(" detached"))).toBe(true);
});

test("a guest's comment that others answer stays, even if its guest has not seen the answer", async () => {
  const { annotations, at } = await inTree();
  const begins = await annotations.add(comment("Why?", { recordId: await at(12) }), "Anna", {
    writer: "hash-of-anna",
  });
  const writer = "hash-of-anna";
  await annotations.add(comment("I mean this", {}, { replyTo: begins.id }), "Anna", { writer });
  const other = await annotations.add(comment("Because", {}, { replyTo: begins.id }));
  await expect(annotations.remove(begins.id, { writer })).rejects.toMatchObject({
    code: "annotation-changed",
  });
  expect(await said(annotations)).toHaveLength(3);
  await annotations.remove(other.id);
  await annotations.remove(begins.id, { writer });
  expect(await said(annotations)).toEqual([]);
});

test("answers belong to the thread that they answer, and are removed with it", async () => {
  const { annotations, at, marks } = await inTree();
  const begins = await annotations.add(comment("Why?", { recordId: await at(12) }));
  const one = await annotations.add(comment("Because", {}, { replyTo: begins.id }));
  const two = await annotations.add(comment("I see", {}, { replyTo: one.id }));
  expect(two.replyTo).toBe(begins.id);
  expect(marks.get(ID)).toMatchObject({ comments: 1, openComments: 1 });
  await annotations.change(begins.id, { resolved: true });
  expect(marks.get(ID)).toMatchObject({ comments: 1, openComments: 0 });
  await annotations.remove(begins.id);
  expect(marks.get(ID)).toBeNull();
  await expect(annotations.add(comment("Late", {}, { replyTo: begins.id }))).rejects.toMatchObject({
    code: "annotation-removed",
  });
});

test("a collection of Web Annotations transfers everything to another place, once", async () => {
  const { annotations, at } = await inTree();
  await annotations.add(body("star"));
  await annotations.add(body("note", "About shop", { target: { projectId: "p1" as ProjectId } }));
  const selected = { text: "look", before: "" };
  const lines = { path: "/home/dev/shop/cart.ts", from: 12, to: 15, before: true };
  const place = { recordId: await at(12), block: 0, selected, lines };
  const begins = await annotations.add(comment("Why <b>?", place));
  expect(begins.target.lines).toEqual(lines);
  await annotations.add(comment("Because", {}, { replyTo: begins.id }));
  await annotations.change(begins.id, { resolved: true, sent: true });
  const { annotations: all } = await annotations.list(null);
  const { first } = JSON.parse(JSON.stringify(toCollection(all))) as { first: { items: unknown[] } };
  const elsewhere = open();
  const { items } = AnnotationImportBody.parse(first);
  expect(await elsewhere.annotations.import(items)).toEqual({ added: 4, known: 0, refused: [] });
  expect(await elsewhere.annotations.import(items)).toEqual({ added: 0, known: 4, refused: [] });
  const unnumbered = (list: typeof all) => list.map((one) => ({ ...one, revision: 0 }));
  expect(unnumbered((await elsewhere.annotations.list(null)).annotations)).toEqual(unnumbered(all));
});

test("items that are no annotations of ours are refused with their reasons, and the rest is accepted", async () => {
  const { annotations } = open();
  const item = (over: object) => ({
    id: "urn:uuid:00000000-0000-4000-8000-000000000001",
    type: "Annotation",
    motivation: "commenting",
    created: "2026-01-02T03:04:05Z",
    body: { type: "TextualBody", value: "Hello" },
    target: {
      source: `urn:claude-code:session:${ID}`,
      selector: [{ type: "FragmentSelector", value: "record=m~0" }],
    },
    ...over,
  });
  const items = [
    null,
    item({ target: { source: "https://example.org/" } }),
    item({ motivation: "dancing" }),
    item({ motivation: "tagging", body: { value: "x".repeat(61) } }),
    item({ target: { source: `urn:claude-code:session:${ID}` } }),
    item({ creator: { name: "Anna" } }),
  ];
  const { added, refused } = await annotations.import(items);
  expect(added).toBe(1);
  expect(refused.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  expect(refused.map(({ reason }) => reason).slice(1)).toEqual([
    "It is about no session of Claude Code",
    "The motivation dancing is none of Backscroll's",
    "A tag says at most 60 characters",
    "A comment is about a record",
  ]);
  expect((await annotations.list(null)).annotations.map(({ author }) => author)).toEqual(["Anna"]);
});

test("an incomplete request is refused with what it lacks", () => {
  const lines = (from: number, to: number) => ({ recordId: "m~0", lines: { path: "a.ts", from, to } });
  expect(() => comment("?", lines(3, 2))).toThrow("lines from the first to the last");
  expect(() => comment("?", lines(0, 2))).toThrow(">=1");
  expect(comment("?", lines(2, 2)).target.lines).toEqual({ path: "a.ts", from: 2, to: 2, before: false });
  const parse = (over: object) =>
    AnnotationBody.safeParse({ id: "test-id-0", kind: "star", target: { sessionId: ID }, ...over }).success;
  expect(parse({})).toBe(true);
  expect(parse({ body: "a star says nothing" })).toBe(false);
  expect(parse({ kind: "tag" })).toBe(false);
  expect(parse({ kind: "comment", body: "where?" })).toBe(false);
  expect(parse({ target: {} })).toBe(false);
  expect(parse({ target: { sessionId: ID, recordId: "m~1k9" as RecordId } })).toBe(false);
  expect(parse({ kind: "bookmark", target: { sessionId: ID, recordId: "m~1k9" } })).toBe(true);
});
