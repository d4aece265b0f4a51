import { expect, onTestFinished, test, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import type { OpenSession } from "@/lib/server/session/open-session";
import { createSessions } from "@/lib/server/session/sessions";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder } from "@/lib/testing/transcript";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import { AnnotationBody } from "@/lib/wire/requests/annotations";
import { Annotations } from "./annotations";
import {
  addForGuest,
  changeForGuest,
  commentsForGuest,
  MAX_COMMENTS,
  MAX_EVENTS,
  removeForGuest,
  type SharedSession,
} from "./guest-comments";

const ID = uuid(1) as SessionId;

test("if words occur several times in a line the guest sees those that the comment is about", async () => {
  const text = "retry\n".repeat(30);
  const root = makeTree({ [`projects/-srv-shop/${ID}.jsonl`]: [prompt(text, { uuid: uuid(100) })] });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const session = await createSessions(catalog, { scan }).latest(ID);
  const annotations = new Annotations(null, {
    latest: async () => session,
    changed: () => undefined,
    projectChanged: () => undefined,
    warn: () => undefined,
  });
  const selected = { text: "retry", before: "retry\n".repeat(20) };
  const target = { sessionId: ID, recordId: formatRecordId("m", 0), block: 0, selected };
  const added = await annotations.add(
    AnnotationBody.parse({ id: "comment-1", kind: "comment", body: "Why again?", target }),
  );
  const shared = {
    ...{ sessionId: ID, original: session, copy: session, writer: null, redacted: true },
    redact: async (one: string) => one,
  };
  const { annotations: seen } = await commentsForGuest(annotations, shared);
  expect(seen[0]?.target.range).toEqual({ from: 120, to: 125 });
  expect(added.target.range).toEqual({ from: 120, to: 125 });
});

const SECRET = "hunter2-Xq";

/** A session of one line, which has this uuid. */
async function openLine(text: string, lineUuid = uuid(100)): Promise<OpenSession> {
  const root = makeTree({ [`projects/-srv-shop/${ID}.jsonl`]: [prompt(text, { uuid: lineUuid })] });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  return createSessions(catalog, { scan }).latest(ID);
}

/** A session whose guest reads `[secret]` in place of one. */
async function shareOf(text: string): Promise<{ annotations: Annotations; shared: SharedSession }> {
  const redacted = (one: string) => one.replaceAll(SECRET, "[secret]");
  const [original, copy] = await Promise.all([openLine(text), openLine(redacted(text))]);
  const annotations = new Annotations(null, {
    latest: async () => original,
    changed: () => undefined,
    projectChanged: () => undefined,
    warn: () => undefined,
  });
  const redact = async (one: string) => redacted(one);
  return { annotations, shared: { sessionId: ID, original, copy, writer: "guest", redacted: true, redact } };
}

test("a comment on a line that the guest does not have, or on words that are gone, quotes nothing of it", async () => {
  const text = `The key is ${SECRET} here`;
  const { shared } = await shareOf(text);
  let original = shared.original;
  const annotations = new Annotations(null, {
    latest: async () => original,
    changed: () => undefined,
    projectChanged: () => undefined,
    warn: () => undefined,
  });
  const target = {
    ...{ sessionId: ID, recordId: formatRecordId("m", 0), block: 0 },
    selected: { text: SECRET, before: "The key is " },
  };
  await annotations.add(
    AnnotationBody.parse({ id: "owners-comment", kind: "comment", body: "Look", target }),
  );
  const seenBy = async (copy: OpenSession) =>
    (await commentsForGuest(annotations, { ...shared, original, copy })).annotations;
  const nothing = { recordId: null, uuid: null, range: null, quote: null, hash: null };
  // As in a link without agents, of a comment in an agent's thread.
  const withoutLine = await openLine("Another line", uuid(101));
  expect(await seenBy(withoutLine)).toMatchObject([{ body: "Look", state: "detached", target: nothing }]);
  // The owner's line was replaced, and the copy is still as it was.
  original = await openLine("It was replaced");
  expect(await seenBy(shared.copy)).toMatchObject([{ body: "Look", state: "detached", target: nothing }]);
});

let comments = 0;

/** Where a guest's comment on these words of the first line is, in what the guest reads. */
async function placeFor(text: string, selected: { text: string; before: string }) {
  const { annotations, shared } = await shareOf(text);
  const body = AnnotationBody.parse({
    ...{ id: `guests-${++comments}`, kind: "comment", body: "?" },
    target: { sessionId: ID, recordId: formatRecordId("m", 0), block: 0, selected },
  });
  return (await addForGuest(annotations, shared, body)).target;
}

test("a guest who guesses what is redacted is not told whether it is right", async () => {
  const text = `First zed, then ${SECRET} zed.`;
  for (let length = 1; length <= SECRET.length; length++) {
    const end = SECRET.slice(-length);
    const wrong = `${end[0] === "a" ? "b" : "a"}${end.slice(1)}`;
    for (const words of ["zed", `${end} zed`, end]) {
      const right = await placeFor(text, { text: words, before: end });
      expect(right, `${words} behind ${end}`).toEqual(
        await placeFor(text, { text: words.replace(end, wrong), before: wrong }),
      );
    }
  }
});

test("nor is a guest told it by the place of a comment on words behind it, which is right", async () => {
  // The first place is more like the owner's text than the guest's own second one is.
  const text = `2-Xq zed or ${SECRET} zed.`;
  const seen = text.replace(SECRET, "[secret]");
  for (const from of [seen.indexOf("zed"), seen.lastIndexOf("zed")]) {
    const { range, quote } = await placeFor(text, { text: "zed", before: seen.slice(0, from) });
    expect(range).toEqual({ from, to: from + 3 });
    expect(quote?.prefix).toBe(seen.slice(0, from));
  }
});

test("a guest's comment finds its words behind a secret however often they stand in the line", async () => {
  const text = `${SECRET} ${"z ".repeat(80)}`;
  const seen = text.replace(SECRET, "[secret]");
  const from = "[secret] ".length + 2 * 70;
  expect((await placeFor(text, { text: "z", before: seen.slice(0, from) })).range).toEqual({
    from,
    to: from + 1,
  });
});

test("a guest's comment is about the words that they selected, also where those are in what stands for a secret", async () => {
  const text = `${SECRET} is a secret, ${SECRET} is no secret.`;
  const seen = text.replaceAll(SECRET, "[secret]");
  const ownWords = [seen.indexOf("secret,"), seen.lastIndexOf("secret.")];
  for (const from of ownWords)
    expect((await placeFor(text, { text: "secret", before: seen.slice(0, from) })).range).toEqual({
      from,
      to: from + 6,
    });
  expect((await placeFor(text, { text: "[secret]", before: "" })).range).toBeNull();
});

test("nor by what a comment of theirs says: it stays as they wrote it, for every guest, until the owner changes it", async () => {
  const { annotations, shared } = await shareOf("First");
  const guess = (id: string) =>
    AnnotationBody.parse({
      ...{ id, kind: "comment", body: `Is it ${SECRET}?`, author: `of ${SECRET}` },
      target: {
        sessionId: ID,
        recordId: formatRecordId("m", 0),
        lines: { path: `/${SECRET}`, from: 1, to: 1 },
      },
    });
  const said = async (guest: SharedSession) =>
    (await commentsForGuest(annotations, guest)).annotations.map(({ body, author, target }) =>
      [body, author, target.lines?.path].join(" "),
    );
  const asWritten = `Is it ${SECRET}? of ${SECRET} /${SECRET}`;
  const added = await addForGuest(annotations, shared, guess("guess-0001"));
  expect([added.body, JSON.stringify(added)]).toEqual([
    `Is it ${SECRET}?`,
    expect.not.stringContaining("guest"),
  ]);
  await changeForGuest(annotations, shared, added.id, { body: `Or ${SECRET}?` });
  await changeForGuest(annotations, shared, added.id, { body: `Is it ${SECRET}?` });
  for (const guest of [shared, { ...shared, writer: "another" }])
    expect(await said(guest)).toEqual([asWritten]);
  // Whoever reads all of a session, its owner or another link's guest, may quote what is in it.
  await addForGuest(annotations, { ...shared, redacted: false }, guess("guess-0002"));
  await annotations.change(added.id, { body: `It is ${SECRET}.` });
  expect(await said(shared)).toEqual([
    "It is [secret]. of [secret] /[secret]",
    "Is it [secret]? of [secret] /[secret]",
  ]);
});

/** A guest's comment on the first line. */
const guestsComment = (id: string, more: object = {}) =>
  AnnotationBody.parse({
    ...{ id, kind: "comment", body: "?", target: { sessionId: ID, recordId: formatRecordId("m", 0) } },
    ...more,
  });

test("what a guest has changed is not replaced by another tab of theirs that has not seen it", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { annotations, shared } = await shareOf("First");
  const { id, revision } = await addForGuest(annotations, shared, guestsComment("in-two-tabs"));
  vi.setSystemTime(2_000);
  const changed = await changeForGuest(annotations, shared, id, { body: "in one", revision });
  const late = changeForGuest(annotations, shared, id, { body: "in the other", revision });
  await expect(late).rejects.toMatchObject({ code: "annotation-changed" });
  const seen = changeForGuest(annotations, shared, id, { body: "seen", revision: changed.revision });
  expect((await seen).body).toBe("seen");
});

test("a guest's comment stays where another guest answers to it while it is being removed", async () => {
  const { annotations, shared } = await shareOf("First");
  const { id } = await addForGuest(annotations, shared, guestsComment("being-removed"));
  const removal = removeForGuest(annotations, shared, id);
  // It is written when the removal has seen that there is no answer.
  const answer = annotations.add(
    guestsComment("the-answer", { replyTo: id, target: { sessionId: ID } }),
    "",
    {
      writer: "another",
    },
  );
  await expect(removal).rejects.toMatchObject({ code: "annotation-changed" });
  await answer;
  expect((await annotations.list(ID)).annotations).toHaveLength(2);
});

test("a guest is not told that the owner has sent a comment on", async () => {
  const { annotations, shared } = await shareOf("First");
  const { id } = await addForGuest(annotations, shared, guestsComment("sent-on-0001"));
  await annotations.change(id, { sent: true });
  expect((await annotations.list(ID)).annotations[0]?.sentAtMs).not.toBeNull();
  expect((await commentsForGuest(annotations, shared)).annotations[0]?.sentAtMs).toBeNull();
});

test("guests cannot fill the log of annotations, however often they change what they wrote", async () => {
  const { annotations, shared } = await shareOf("First");
  const target = { sessionId: ID, recordId: formatRecordId("m", 0) };
  const added = await addForGuest(
    annotations,
    shared,
    AnnotationBody.parse({ id: "first-0001", kind: "comment", body: "?", target }),
  );
  for (let n = 1; n < MAX_EVENTS; n++)
    await annotations.change(added.id, { body: `change ${n}` }, "redacted");
  const full = { code: "too-many-comments", status: 409 };
  await expect(changeForGuest(annotations, shared, added.id, { body: "!" })).rejects.toMatchObject(full);
  const another = AnnotationBody.parse({ id: "other-0001", kind: "comment", body: "!", target });
  await expect(addForGuest(annotations, shared, another)).rejects.toMatchObject(full);
  // What is there can be taken back, and the owner goes on.
  await removeForGuest(annotations, shared, added.id);
  expect((await annotations.add(another)).body).toBe("!");
});

test("guests who write at the same moment do not get past what they may write together", async () => {
  const { annotations, shared } = await shareOf("First");
  const target = { sessionId: ID, recordId: formatRecordId("m", 0) };
  const comment = (id: string) =>
    AnnotationBody.parse({ id: `comment-${id}`, kind: "comment", body: "?", target });
  const tenAtOnce = async (write: (n: number) => Promise<unknown>) => {
    const ended = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => write(n)));
    return ended.filter(({ status }) => status === "fulfilled").length;
  };
  const onSession = { target: { ...comment("any").target, recordId: null } };
  for (let n = 2; n < MAX_COMMENTS; n++) await annotations.add({ ...comment(`owner-${n}`), ...onSession });
  expect(await tenAtOnce((n) => addForGuest(annotations, shared, comment(`guest-${n}`)))).toBe(2);
  expect((await annotations.list(ID)).annotations).toHaveLength(MAX_COMMENTS);
  for (let n = 2; n < MAX_COMMENTS; n++) await annotations.remove(`comment-owner-${n}`);
  while (annotations.eventsOfGuests(ID) < MAX_EVENTS - 3)
    await annotations.change("comment-guest-0", { body: `${annotations.eventsOfGuests(ID)}` }, "redacted");
  expect(await tenAtOnce((n) => addForGuest(annotations, shared, comment(`later-${n}`)))).toBe(3);
  expect(annotations.eventsOfGuests(ID)).toBe(MAX_EVENTS);
});

test("a line is read once, however many comments of it a guest is told", async () => {
  const { annotations, shared } = await shareOf(`The token ${SECRET} does not work here`);
  const selected = { text: "work", before: "not " };
  const target = { sessionId: ID, recordId: formatRecordId("m", 0), block: 0, selected };
  /** Each reading of a line asks for it. */
  let asked = 0;
  const counted = (session: OpenSession): OpenSession =>
    new Proxy(session, {
      get: (of, name) => {
        if (name === "redaction") asked += 1;
        const value: unknown = Reflect.get(of, name, of);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
  const guest = { ...shared, copy: counted(shared.copy), original: counted(shared.original) };
  const costs: number[] = [];
  for (const count of [1, 20]) {
    for (let n = 0; n < count; n++)
      await annotations.add(
        AnnotationBody.parse({ id: `comment-${count}-${n}`, kind: "comment", body: "?", target }),
      );
    asked = 0;
    const { annotations: told } = await commentsForGuest(annotations, guest);
    expect(told.map((one) => one.target.quote?.exact)).toEqual(told.map(() => "work"));
    costs.push(asked);
  }
  expect(costs[0]).toBeGreaterThan(0);
  expect(costs[1]).toBe(costs[0]);
});

test("in an export, which is of the same lines, a comment is also on a line without a uuid, and quotes what is written there", async () => {
  const { uuid: _, ...line } = prompt(`The token ${SECRET} does not work`, { uuid: uuid(100) });
  const root = makeTree({ [`projects/-srv-shop/${ID}.jsonl`]: [line] });
  const folder = await openFolder(root);
  const original = await folder.sessions.latest(ID);
  const annotations = new Annotations(null, {
    latest: async () => original,
    changed: () => undefined,
    projectChanged: () => undefined,
    warn: () => undefined,
  });
  const redaction = { redactText: (text: string) => text.replaceAll(SECRET, "[secret]") };
  const selected = { text: "work", before: "not " };
  const target = { sessionId: ID, recordId: formatRecordId("m", 0), block: 0, selected };
  await annotations.add(AnnotationBody.parse({ id: "comment-1", kind: "comment", body: SECRET, target }));
  const copy = await folder.sessions
    .redactedBy({ ...redaction, redactLine: redaction.redactText } as never)
    .latest(ID);
  const shared: SharedSession = {
    ...{ sessionId: ID, original, copy, writer: null, redacted: true },
    redact: async (text) => redaction.redactText(text),
  };
  const told = async (sameLines: boolean) => {
    const { annotations: all } = await commentsForGuest(annotations, { ...shared, sameLines });
    return all.map(({ body, state, target: { quote } }) => [body, state, quote?.exact, quote?.prefix]);
  };
  expect(await told(true)).toEqual([["[secret]", "anchored", "work", "The token [secret] does not "]]);
  expect(await told(false)).toEqual([["[secret]", "detached", undefined, undefined]]);
});
