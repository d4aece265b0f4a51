import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  ANNOTATED,
  annotationBody,
  annotationFolder,
  commentBody,
  OTHER_SESSION,
  openAnnotations,
  readsNoSession,
  saidOf,
} from "@/lib/testing/library/annotated";
import type { ProjectId, RecordId } from "@/lib/wire/ids";
import { AnnotationBody } from "@/lib/wire/requests/annotations";
import { Annotations } from "./annotations";

test("annotations of a session are there for the next server, and make its marks", async () => {
  const first = openAnnotations();
  await first.annotations.add(annotationBody("star"));
  await first.annotations.add(annotationBody("tag", "retry"));
  await first.annotations.add(annotationBody("tag", "Flaky"));
  await first.annotations.add(annotationBody("name", "The flaky test"));
  await first.annotations.add(annotationBody("note", "Ask Anna"));
  const marks = {
    ...{ starred: true, hidden: false, name: "The flaky test", tags: ["Flaky", "retry"], note: "Ask Anna" },
    ...{ bookmarks: 0, openComments: 0, comments: 0 },
  };
  expect(first.marks.get(ANNOTATED)).toEqual(marks);
  const next = openAnnotations(first.folder);
  await next.annotations.start();
  expect(next.marks.get(ANNOTATED)).toEqual(marks);
  expect(await saidOf(next.annotations)).toEqual(await saidOf(first.annotations));
});

test("annotations of a project are its own, for every server, until they are removed", async () => {
  const project = "p1" as ProjectId;
  const target = { projectId: project };
  const folder = annotationFolder();
  const [writer, reader] = [openAnnotations(folder), openAnnotations(folder)];
  await reader.annotations.start();
  await writer.annotations.add(annotationBody("note", "Old prototype", { target }));
  const { id } = await writer.annotations.add(annotationBody("hidden", "", { target }));
  await writer.annotations.add(annotationBody("star", "", { target: { projectId: "p2" as ProjectId } }));
  expect(writer.projects.get(project)).toEqual({ starred: false, hidden: true, note: "Old prototype" });
  expect(writer.marks.has(ANNOTATED)).toBe(false);
  await expect.poll(() => reader.projects.size).toBe(2);
  await writer.annotations.remove(id);
  await expect.poll(() => reader.projects.get(project)?.hidden).toBe(false);
  // Another file in its place has none of them.
  rmSync(join(folder, "annotations.jsonl"));
  await reader.annotations.list(null);
  expect([...reader.projects.values()]).toEqual([null, null]);
});

test("an annotation that was changed meanwhile is not removed by a writer who has not seen that", async () => {
  const { annotations } = openAnnotations();
  const note = await annotations.add(annotationBody("note", "first"));
  await annotations.change(note.id, { body: "second" });
  await expect(annotations.remove(note.id, { revision: note.revision })).rejects.toMatchObject({
    code: "annotation-changed",
  });
  expect(await saidOf(annotations)).toEqual(["note second anchored"]);
  const [{ revision } = note] = (await annotations.list(ANNOTATED)).annotations;
  await annotations.remove(note.id, { revision });
  expect(await saidOf(annotations)).toEqual([]);
});

test("an annotation that is requested twice with one id is added once", async () => {
  const { annotations } = openAnnotations();
  const star = annotationBody("star");
  const [one, again] = [await annotations.add(star), await annotations.add(star)];
  expect(again).toEqual(one);
  expect((await annotations.list(null)).annotations).toHaveLength(1);
  await annotations.remove(star.id);
  await annotations.remove(star.id);
  await expect(annotations.add(star)).rejects.toMatchObject({ code: "annotation-removed" });
  await expect(annotations.remove("never-there")).rejects.toMatchObject({ code: "annotation-not-found" });
});

test("a star that two windows set is one, and is removed by the id of either", async () => {
  const { annotations, marks } = openAnnotations();
  const [one, other] = [annotationBody("star"), annotationBody("star")];
  await annotations.add(one);
  expect((await annotations.add(other)).id).toBe(one.id);
  await annotations.remove(other.id);
  expect(marks.get(ANNOTATED)).toBeNull();
  await annotations.add(annotationBody("star"));
  expect(marks.get(ANNOTATED)?.starred).toBe(true);
});

test("every saved search stays, and one that is saved again is one", async () => {
  const { annotations } = openAnnotations();
  const save = (query: string) => annotations.add(annotationBody("search", query, { target: {} }));
  const saved = async () => (await annotations.list(null, ["search"])).annotations.map((one) => one.body);
  const first = await save("tool:bash");
  await save("is:error");
  expect((await save("tool:bash")).id).toBe(first.id);
  expect(await saved()).toEqual(["tool:bash", "is:error"]);
  await annotations.remove(first.id);
  expect(await saved()).toEqual(["is:error"]);
});

test("the later one of two edits of a text is refused, and loses nothing", async () => {
  const { annotations } = openAnnotations();
  const note = await annotations.add(annotationBody("note", "one"));
  const edited = await annotations.change(note.id, { body: "two", revision: note.revision });
  await expect(annotations.change(note.id, { body: "2", revision: note.revision })).rejects.toMatchObject({
    code: "annotation-changed",
    status: 409,
  });
  // The same again is what is there, as after an answer that was lost.
  expect(await annotations.change(note.id, { body: "two", revision: note.revision })).toEqual(edited);
  await expect(annotations.add(annotationBody("note", "another"))).rejects.toMatchObject({
    code: "annotation-changed",
  });
  expect(await saidOf(annotations)).toEqual(["note two anchored"]);
});

test("the text of an annotation has the maximum length of its kind", async () => {
  const { annotations } = openAnnotations();
  const name = await annotations.add(annotationBody("name", "one"));
  const tag = await annotations.add(annotationBody("tag", "one"));
  const refused = { code: "bad-parameter", status: 400 };
  await expect(annotations.change(name.id, { body: "x".repeat(201) })).rejects.toMatchObject(refused);
  await expect(annotations.change(tag.id, { body: "two" })).rejects.toMatchObject(refused);
  expect((await annotations.change(name.id, { body: "two" })).body).toBe("two");
});

test("two servers with one folder agree on the order of simultaneous writes", async () => {
  const folder = annotationFolder();
  const servers = [openAnnotations(folder), openAnnotations(folder)] as const;
  const notes = Array.from({ length: 40 }, (_, n) =>
    annotationBody("tag", `t${n}`, { target: { sessionId: n % 2 ? ANNOTATED : OTHER_SESSION } }),
  );
  await Promise.all(notes.map((note, n) => servers[n % 2 === 0 ? 0 : 1].annotations.add(note)));
  const name = await servers[0].annotations.add(annotationBody("name", "first"));
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
  const folder = annotationFolder();
  const [writer, reader] = [openAnnotations(folder), openAnnotations(folder)];
  await reader.annotations.start();
  await writer.annotations.add(annotationBody("star"));
  await expect.poll(() => reader.marks.get(ANNOTATED)?.starred).toBe(true);
});

test("and again where the folder was deleted and another is in its place, or one that is mounted there", async () => {
  const folder = annotationFolder();
  const [writer, reader] = [openAnnotations(folder), openAnnotations(folder)];
  await reader.annotations.start();
  await writer.annotations.add(annotationBody("star"));
  await expect.poll(() => reader.marks.get(ANNOTATED)?.starred).toBe(true);
  rmSync(folder, { recursive: true });
  await expect.poll(() => reader.marks.get(ANNOTATED)).toBeNull();
  await writer.annotations.add(annotationBody("tag", "first"));
  // A page of the other server asks for what there is.
  expect((await reader.annotations.list(null)).annotations).toHaveLength(1);
  await writer.annotations.add(annotationBody("star"));
  await expect.poll(() => reader.marks.get(ANNOTATED)?.starred).toBe(true);
});

test("a bug while another server's writes are taken over is reported on the console; a file that cannot be read is not", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  const folder = annotationFolder();
  const writer = openAnnotations(folder).annotations;
  let changes = 0;
  let isBroken = true;
  const reader = new Annotations(folder, {
    latest: readsNoSession,
    projectChanged: () => undefined,
    warn: () => undefined,
    changed: () => {
      changes += 1;
      if (isBroken && changes > 1) throw new TypeError("a bug");
    },
  });
  onTestFinished(() => reader.stop());
  await reader.start();
  await writer.add(annotationBody("star"));
  await expect.poll(() => changes).toBe(1);
  expect(reported).not.toHaveBeenCalled();
  await writer.add(annotationBody("tag", "retry"));
  await expect.poll(() => reported.mock.calls.map((said) => String(said[1]))).toContain("TypeError: a bug");
  isBroken = false;
  reported.mockClear();
  rmSync(join(folder, "annotations.jsonl"));
  mkdirSync(join(folder, "annotations.jsonl"));
  await expect(reader.list(null)).rejects.toMatchObject({ code: "annotations-unreadable" });
  expect(reported).not.toHaveBeenCalled();
});

test("an incomplete request is refused with what it lacks", () => {
  const lines = (from: number, to: number) => ({ recordId: "m~0", lines: { path: "a.ts", from, to } });
  expect(() => commentBody("?", lines(3, 2))).toThrow("lines from the first to the last");
  expect(() => commentBody("?", lines(0, 2))).toThrow(">=1");
  expect(commentBody("?", lines(2, 2)).target.lines).toEqual({ path: "a.ts", from: 2, to: 2, before: false });
  const parse = (over: object) =>
    AnnotationBody.safeParse({ id: "test-id-0", kind: "star", target: { sessionId: ANNOTATED }, ...over })
      .success;
  expect(parse({})).toBe(true);
  expect(parse({ body: "a star says nothing" })).toBe(false);
  expect(parse({ kind: "tag" })).toBe(false);
  expect(parse({ kind: "comment", body: "where?" })).toBe(false);
  expect(parse({ target: {} })).toBe(false);
  expect(parse({ target: { sessionId: ANNOTATED, recordId: "m~1k9" as RecordId } })).toBe(false);
  expect(parse({ kind: "bookmark", target: { sessionId: ANNOTATED, recordId: "m~1k9" } })).toBe(true);
});
