import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import {
  ANNOTATED,
  ANNOTATED_LINES,
  ANNOTATED_LOG,
  annotatedTree,
  annotationFolder,
  commentBody,
  openAnnotations,
  saidOf,
} from "@/lib/testing/library/annotated";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { toCollection } from "./web-annotation";

test("annotations of a log that is removed while they are looked for are detached, as behind that", async () => {
  const root = makeTree({ [ANNOTATED_LOG]: ANNOTATED_LINES });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const sessions = createSessions(catalog, { scan });
  let isRemoved = false;
  const { annotations } = openAnnotations(annotationFolder(), async (id) => {
    const session = await sessions.latest(id);
    if (isRemoved) rmSync(join(root, ANNOTATED_LOG), { force: true });
    return session;
  });
  const session = await sessions.latest(ANNOTATED);
  await annotations.add(commentBody("Why?", { recordId: session.recordId(session.findUuid(uuid(12))) }));
  expect(await saidOf(annotations)).toEqual(["comment Why? anchored"]);
  isRemoved = true;
  expect(await saidOf(annotations)).toEqual(["comment Why? detached"]);
});

test("a comment stores where in the raw text the selection on the page is", async () => {
  const { annotations, at } = await annotatedTree();
  const recordId = await at(12);
  const select = async (text: string, before = "") =>
    (await annotations.add(commentBody("?", { recordId, block: 0, selected: { text, before } }))).target;
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
  const { annotations, at } = await annotatedTree();
  const [ofPrompt, recordId] = [await at(11), await at(12)];
  const shownOf = async (selected: { text: string; before: string } | null, id = recordId) =>
    (await annotations.add(commentBody("?", { recordId: id, block: 0, selected }))).target.quote?.shown;
  expect(await shownOf({ text: "look at retry.ts first.", before: "I will " })).toBe(
    "look at retry.ts first.",
  );
  // A selection may end between two marks that belong together.
  expect(await shownOf({ text: "will lo", before: "I " })).toBe("will lo");
  expect(await shownOf({ text: "Then at", before: "first. " })).toBeUndefined();
  expect(await shownOf(null)).toBe("I will look at retry.ts first.\nThen at retry.ts again.");
  // The first line of a prompt is shown as it was typed.
  expect(await shownOf({ text: "Fix the flaky test", before: "" }, ofPrompt)).toBeUndefined();
  const { annotations: all } = await annotations.list(ANNOTATED);
  const { first } = JSON.parse(JSON.stringify(toCollection(all)).replaceAll("test-id-", "other-id-")) as {
    first: { items: unknown[] };
  };
  expect(JSON.stringify(first)).not.toContain("shown");
  expect(await annotations.import(first.items)).toMatchObject({ added: 5 });
  const both = (await annotations.list(ANNOTATED)).annotations.map(({ target }) => target.quote?.shown);
  expect(both).toHaveLength(10);
  expect(both.slice(5)).toEqual(both.slice(0, 5));
});

test("comments are where their lines are: in place, moved, changed, or gone and kept", async () => {
  const { annotations, at, root, catalog } = await annotatedTree();
  await annotations.add(commentBody("on the prompt", { recordId: await at(11) }));
  const selected = { text: "retry.ts again", before: "Then at" };
  await annotations.add(commentBody("on words", { recordId: await at(12), block: 0, selected }));
  await annotations.add(
    commentBody("on another word", { recordId: await at(12), block: 0, selected: { text: "look" } }),
  );
  expect(await saidOf(annotations)).toEqual([
    "comment on the prompt anchored",
    "comment on words anchored",
    "comment on another word anchored",
  ]);
  const [first, second] = ANNOTATED_LINES as [Record<string, unknown>, Record<string, unknown>];
  const changed = answer("First of all:\n\nThen at retry.ts again.", {
    uuid: uuid(12),
    parentUuid: uuid(11),
  });
  writeFileSync(
    join(root, ANNOTATED_LOG),
    toText([prompt("Before", { uuid: uuid(10), parentUuid: null }), first, changed]),
  );
  const later = (await annotations.list(ANNOTATED)).annotations;
  expect(later.map(({ state }) => state)).toEqual(["moved", "moved", "detached"]);
  expect(later[0]?.target.recordId).toBe(await at(11));
  expect(later[1]?.target.range).toEqual({ from: 23, to: 37 });
  // Back as it was: nothing of this was written down.
  writeFileSync(join(root, ANNOTATED_LOG), toText([first, second]));
  expect((await saidOf(annotations)).every((one) => one.endsWith(" anchored"))).toBe(true);
  rmSync(join(root, ANNOTATED_LOG));
  await catalog.list();
  expect((await saidOf(annotations)).every((one) => one.endsWith(" detached"))).toBe(true);
});

test("a guest's comment that others answer stays, even if its guest has not seen the answer", async () => {
  const { annotations, at } = await annotatedTree();
  const begins = await annotations.add(commentBody("Why?", { recordId: await at(12) }), "Anna", {
    writer: "hash-of-anna",
  });
  const writer = "hash-of-anna";
  await annotations.add(commentBody("I mean this", {}, { replyTo: begins.id }), "Anna", { writer });
  const other = await annotations.add(commentBody("Because", {}, { replyTo: begins.id }));
  await expect(annotations.remove(begins.id, { writer })).rejects.toMatchObject({
    code: "annotation-changed",
  });
  expect(await saidOf(annotations)).toHaveLength(3);
  await annotations.remove(other.id);
  await annotations.remove(begins.id, { writer });
  expect(await saidOf(annotations)).toEqual([]);
});

test("answers belong to the thread that they answer, and are removed with it", async () => {
  const { annotations, at, marks } = await annotatedTree();
  const begins = await annotations.add(commentBody("Why?", { recordId: await at(12) }));
  const one = await annotations.add(commentBody("Because", {}, { replyTo: begins.id }));
  const two = await annotations.add(commentBody("I see", {}, { replyTo: one.id }));
  expect(two.replyTo).toBe(begins.id);
  expect(marks.get(ANNOTATED)).toMatchObject({ comments: 1, openComments: 1 });
  await annotations.change(begins.id, { resolved: true });
  expect(marks.get(ANNOTATED)).toMatchObject({ comments: 1, openComments: 0 });
  await annotations.remove(begins.id);
  expect(marks.get(ANNOTATED)).toBeNull();
  await expect(annotations.add(commentBody("Late", {}, { replyTo: begins.id }))).rejects.toMatchObject({
    code: "annotation-removed",
  });
});
