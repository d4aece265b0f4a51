import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Annotations } from "@/lib/server/annotations/annotations";
import {
  addForGuest,
  changeForGuest,
  commentsForGuest,
  removeForGuest,
} from "@/lib/server/annotations/guest-comments";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import {
  chained,
  type GuestLibrary,
  guestLibrary,
  guestPrompts,
  openShares,
  SHARED,
  SHARED_LOG,
  SHARED_SECRET,
  shareBody,
  shopLogs,
  UNSHARED,
} from "@/lib/testing/opened-shares";
import { formatRecordId, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { Position } from "@/lib/wire/presence";
import { AnnotationBody } from "@/lib/wire/requests/annotations";
import type { Guest } from "./shares";

/** A shared session with what readers put on it, as its owner and a guest have it. */
async function openCommented(more: object = {}, logs = shopLogs()) {
  const { root, dataDir, catalog, shares, accesses } = await openShares(logs);
  const { token, id } = await shares.create(shareBody({ comments: true, ...more }));
  const sessions = createSessions(catalog, { scan });
  const annotations = new Annotations(null, {
    latest: (session) => sessions.latest(session),
    changed: () => undefined,
    projectChanged: () => undefined,
    warn: () => undefined,
  });
  const guest = (await shares.guest(token)) as Guest<GuestLibrary>;
  const sharedSession = async (writer: string | null = null) => {
    const copied = await guest.library();
    const copy = await copied.sessions.latest(copied.catalog.summaries()[0]?.id as SessionId);
    const { sessionId, redact } = guest;
    return { sessionId, original: await sessions.latest(SHARED), copy, writer, redacted: true, redact };
  };
  return { root, dataDir, catalog, shares, accesses, annotations, guest, token, shareId: id, sharedSession };
}

let made = 0;
const comment = (text: string, target: object, rest: object = {}) =>
  AnnotationBody.parse({
    ...{ id: `comment-${++made}`, kind: "comment", body: text },
    ...{ target: { sessionId: SHARED, ...target }, ...rest },
  });

/** The id of a session's line, from 0. */
function lineOf(log: string, line: number): RecordId {
  const lines = log.split("\n").slice(0, line);
  return formatRecordId("m", Buffer.byteLength(lines.map((one) => `${one}\n`).join("")));
}

test("a guest reads comments on their copy's lines, without redacted text in quotes or comments", async () => {
  const { root, annotations, sharedSession } = await openCommented();
  const log = readFileSync(join(root, SHARED_LOG), "utf8");
  const selected = { text: SHARED_SECRET.slice(5), before: `Use ${SHARED_SECRET.slice(0, 5)}` };
  // A part of a secret, a line behind one, and a secret that the owner writes.
  const lines = { path: "/home/marlowe/shop/a.ts", from: 1, to: 2 };
  await annotations.add(comment("why this one?", { recordId: lineOf(log, 0), block: 0, selected, lines }));
  await annotations.add(
    comment(`not ${SHARED_SECRET}!`, {
      ...{ recordId: lineOf(log, 2), block: 0 },
      selected: { text: "ask", before: "" },
    }),
  );
  for (const kind of ["star", "note", "tag"] as const)
    await annotations.add(
      AnnotationBody.parse({
        ...{ id: `mark-of-${kind}`, kind, target: { sessionId: SHARED } },
        body: kind === "star" ? "" : "mine alone",
      }),
    );
  await annotations.add(comment("of another", { sessionId: UNSHARED }, { replyTo: "comment-9999" }));

  const { annotations: seen, sequence } = await commentsForGuest(annotations, await sharedSession());
  const { copy } = await sharedSession();
  expect(JSON.stringify(seen)).not.toContain(SHARED_SECRET.slice(8));
  expect(JSON.stringify(seen)).not.toContain("mine alone");
  expect(sequence).toBe(2);
  expect(seen[0]?.target.lines).toEqual({ path: "/home/[user 1]/shop/a.ts", from: 1, to: 2, before: false });
  expect(seen.map(({ body: text, target: { quote } }) => [text, quote?.exact])).toEqual([
    ["why this one?", "Use [github-token 1]"],
    ["not [github-token 1]!", "ask"],
  ]);
  // Their records are those of the copy, where the second one stands elsewhere.
  expect(seen.map(({ target, state }) => [copy.find(target.recordId ?? ""), state])).toEqual([
    [0, "anchored"],
    [2, "anchored"],
  ]);
  expect(seen[1]?.target.recordId).not.toBe(lineOf(log, 2));
});

test("a guest does not see the name of a comment's writer if it is redacted in the session", async () => {
  const { annotations, sharedSession } = await openCommented();
  await annotations.add(comment("imported", { recordId: lineOf("", 0) }), "marlowe <anna@heronmail.org>");
  const { annotations: seen } = await commentsForGuest(annotations, await sharedSession());
  expect(seen.map(({ author }) => author)).toEqual(["[user 1] <[email 1]>"]);
});

test("a guest's comment is at the owner's line, under their name; they add nothing else, and nowhere else", async () => {
  const { root, annotations, sharedSession } = await openCommented();
  const log = readFileSync(join(root, SHARED_LOG), "utf8");
  const session = await sharedSession();
  const recordId = session.copy.recordId(2);
  const about = { recordId, block: 0, selected: { text: "ask", before: "" } };
  const name = { author: " <b>You\nreally</b> " };
  const added = await addForGuest(annotations, session, comment("who is that?", about, name));
  expect(added).toMatchObject({ author: "<b>You really</b>", target: { recordId } });
  const [kept] = (await annotations.list(SHARED)).annotations;
  expect(kept).toMatchObject({
    ...{ body: "who is that?", author: "<b>You really</b>", state: "anchored" },
    target: { recordId: lineOf(log, 2), quote: { exact: "ask" } },
  });
  const answer = comment("nobody", {}, { replyTo: added.id });
  expect((await addForGuest(annotations, session, answer)).replyTo).toBe(added.id);
  expect((await annotations.list(SHARED)).annotations[1]?.author).toBe("");

  const star = AnnotationBody.parse({ id: "guests-star", kind: "star", target: { sessionId: SHARED } });
  await expect(addForGuest(annotations, session, star)).rejects.toMatchObject({ status: 400 });
  const note = AnnotationBody.parse({
    ...{ id: "owners-note", kind: "note", target: { sessionId: SHARED }, body: "for me" },
  });
  await annotations.add(note);
  const toNote = comment("?", {}, { replyTo: "owners-note" });
  const sameId = { ...comment("!", about), id: "owners-note" };
  // Nor are they told what stands on another session, whose comment has the id that they send.
  const elsewhere = await annotations.add(
    comment("of another", { sessionId: UNSHARED }, { replyTo: "comment-9999" }),
  );
  const sameIdElsewhere = { ...comment("!", about), id: elsewhere.id };
  for (const one of [toNote, sameId, sameIdElsewhere])
    await expect(addForGuest(annotations, session, one)).rejects.toMatchObject({
      code: "annotation-not-found",
    });
  expect((await annotations.list(SHARED)).annotations).toHaveLength(3);
});

test("a guest changes and removes their own comments, and nobody else's", async () => {
  const { annotations, sharedSession } = await openCommented();
  const [anna, bo, nobody] = [await sharedSession("anna"), await sharedSession("bo"), await sharedSession()];
  const about = { recordId: anna.copy.recordId(2), block: 0 };
  const annas = await addForGuest(annotations, anna, comment("why?", about));
  const bos = await addForGuest(annotations, bo, comment("because", {}, { replyTo: annas.id }));
  const unknown = await addForGuest(annotations, nobody, comment("!", about));
  await annotations.add(comment("mine", {}, { id: "owners-comment", replyTo: annas.id }));
  const own = async (session: typeof anna) =>
    (await commentsForGuest(annotations, session)).annotations.map(({ body: text, own: is }) => [text, is]);
  expect(await own(anna)).toEqual([
    ["why?", true],
    ["because", undefined],
    ["!", undefined],
    ["mine", undefined],
  ]);
  // The writer is not revealed to anybody, the owner included, and not exported.
  const everything = JSON.stringify([await annotations.list(SHARED), await annotations.list(null), annas]);
  expect(everything).not.toContain("writer");

  const edit = (id: string, session: typeof anna, more: object = {}) =>
    changeForGuest(annotations, session, id, { body: "changed", ...more });
  for (const [session, id] of [
    [bo, annas.id],
    [nobody, annas.id],
    [anna, "owners-comment"],
    [nobody, unknown.id],
    [{ ...anna, writer: "" }, unknown.id],
  ] as const) {
    await expect(edit(id, session)).rejects.toMatchObject({ code: "not-your-comment", status: 403 });
    await expect(removeForGuest(annotations, session, id)).rejects.toMatchObject({
      code: "not-your-comment",
    });
  }
  await expect(edit("never-was", anna)).rejects.toMatchObject({ code: "annotation-not-found" });
  for (const more of [{ body: undefined }, { resolved: true }, { sent: true as const }])
    await expect(edit(annas.id, anna, more)).rejects.toMatchObject({ code: "bad-parameter" });

  const edited = await edit(annas.id, anna, { revision: annas.revision });
  expect(edited).toMatchObject({ body: "changed", own: true, target: { recordId: about.recordId } });
  // Another tab of that guest, which has not seen that, replaces nothing; nor what the owner wrote meanwhile.
  await expect(edit(annas.id, anna, { revision: annas.revision - 1 })).rejects.toMatchObject({
    code: "annotation-changed",
  });
  // What others answered would go with it.
  await expect(removeForGuest(annotations, anna, annas.id)).rejects.toMatchObject({
    code: "comment-answered",
  });
  await removeForGuest(annotations, bo, bos.id);
  await annotations.remove("owners-comment");
  const again = await addForGuest(annotations, anna, comment("also this", {}, { replyTo: annas.id }));
  expect(again.own).toBe(true);
  await removeForGuest(annotations, anna, annas.id);
  expect(await own(anna)).toEqual([["!", undefined]]);
});

test("guests get the owner's position in the ids of their copy, in their session alone", async () => {
  const { root, shares, shareId, sharedSession } = await openCommented();
  const log = readFileSync(join(root, SHARED_LOG), "utf8");
  const recordId = lineOf(log, 2);
  const position = {
    sessionId: SHARED,
    shown: {
      ...{ panes: `record:${recordId}`, version: `${recordId}.0`, view: "compare" },
      ...{ file: "/home/marlowe/shop/m~1.ts", left: null, right: recordId },
    },
    thread: { at: { key: `${recordId}.0`, recordId, block: 0 }, open: [`${recordId}.0`] },
    beside: [],
  } as unknown as Position;
  const theirs = (await sharedSession()).copy.recordId(2);
  expect(theirs).not.toBe(recordId);
  expect(await shares.positionFor(shareId, position)).toMatchObject({
    // A file has the path that it has in their copy.
    shown: {
      ...{ panes: `record:${theirs}`, version: `${theirs}.0`, view: "compare" },
      ...{ file: "/home/[user 1]/shop/m~1.ts", left: null, right: theirs },
    },
    thread: { at: { key: `${theirs}.0`, recordId: theirs }, open: [`${theirs}.0`] },
  });
  // What another session is compared with does not exist for them.
  const shown = { ...position.shown, left: recordId as string, right: UNSHARED as string };
  expect(await shares.positionFor(shareId, { ...position, shown })).toMatchObject({
    shown: { view: null, left: null, right: null },
  });
  expect(await shares.positionFor(shareId, { ...position, sessionId: UNSHARED })).toBeNull();
  await shares.revoke(shareId);
  expect(await shares.positionFor(shareId, position)).toBeNull();
});

test("a link without thinking and agents has neither, nor a comment's quote of one, also after a restart", async () => {
  const thinking = { type: "thinking", thinking: "hidden thought", signature: "c2ln" };
  const message = { id: "msg_1", role: "assistant", model: "claude-x", content: [thinking] };
  const logs = makeTree({
    [SHARED_LOG]: chained([prompt("begin", { cwd: "/srv/shop" }), answer("", { message }), prompt("go on")]),
    [SHARED_LOG.replace(".jsonl", "/subagents/agent-a1.jsonl")]: [
      prompt("hidden errand", { isSidechain: true, agentId: "a1", parentUuid: null, uuid: uuid(9) }),
    ],
  });
  const without = ["agents", "thinking"];
  const opened = await openCommented({ without }, logs);
  const { root, dataDir, shares, accesses, annotations, guest, token, shareId, sharedSession } = opened;
  expect((await shares.list())[0]?.without).toEqual(["thinking", "agents"]);
  expect(accesses).toMatchObject([{ without: ["thinking", "agents"] }]);
  const all = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
      one.isFile() ? readFileSync(join(one.parentPath, one.name), "utf8") : one.name,
    );
  expect(all((await guest.library()).logs).join("\n")).not.toMatch(/hidden|subagents/);
  expect(await guestPrompts(shares, token)).toEqual(["begin", "go on"]);

  const log = readFileSync(join(root, SHARED_LOG), "utf8");
  const key = opened.catalog.sessionFiles(SHARED).agents[0]?.key ?? "";
  const selected = { text: "hidden", before: "" };
  await annotations.add(comment("of a thought", { recordId: lineOf(log, 1), block: 0, selected }));
  await annotations.add(comment("of an agent", { recordId: formatRecordId(key, 0), block: 0, selected }));
  const { annotations: seen } = await commentsForGuest(annotations, await sharedSession());
  expect(seen.map((one) => one.body)).toEqual(["of a thought", "of an agent"]);
  expect(JSON.stringify(seen)).not.toContain("hidden");

  const position = (shown: object) =>
    ({
      ...{ sessionId: SHARED, thread: { at: null, open: [] }, beside: [{ agent: "a1", thread: {} }] },
      shown: { agent: null, panes: null, left: null, right: null, ...shown },
    }) as unknown as Position;
  expect(await shares.positionFor(shareId, position({ agent: "a1" }))).toBeNull();
  const panes = "agent:a1,files,record:a1~0,record:m~0";
  const file = "/srv/shop/of-an-agent.ts";
  expect(await shares.positionFor(shareId, position({ panes, step: "a1~9", file }))).toMatchObject({
    shown: { panes: "files,record:m~0", step: null, file: null },
    beside: [],
  });
  const scrolled = (change: string | null) => ({ change, line: null, above: 0.5, showsLine: false });
  for (const [change, theirs] of [
    ["m~0.0", scrolled("m~0.0")],
    ["a1~9.0", null],
    [null, null],
  ] as const) {
    const at = { ...position({ view: "changes" }), scrolled: scrolled(change) };
    expect(await shares.positionFor(shareId, at)).toMatchObject({ scrolled: theirs });
  }
  expect(await shares.positionFor(shareId, position({ step: "m~0" }))).toMatchObject({
    shown: { step: "m~0" },
  });
  shares.stop();
  const next = await openShares(root, dataDir);
  expect(all((await guestLibrary(next.shares, token)).logs).join("\n")).not.toMatch(/hidden|subagents/);
});
