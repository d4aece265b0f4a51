import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import { AnnotationBody } from "@/lib/wire/requests";
import { Annotations } from "./annotations";
import { commentsForGuest } from "./guest-comments";

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
  });
  const selected = { text: "retry", before: "retry\n".repeat(20) };
  const target = { sessionId: ID, recordId: formatRecordId("m", 0), block: 0, selected };
  const added = await annotations.add(
    AnnotationBody.parse({ id: "comment-1", kind: "comment", body: "Why again?", target }),
  );
  const shared = {
    ...{ sessionId: ID, original: session, copy: session, writer: null },
    redact: async (one: string) => one,
  };
  const { annotations: seen } = await commentsForGuest(annotations, shared);
  expect(seen[0]?.target.range).toEqual({ from: 120, to: 125 });
  expect(added.target.range).toEqual({ from: 120, to: 125 });
});
