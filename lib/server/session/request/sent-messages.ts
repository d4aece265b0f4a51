import { mergeParts } from "@/lib/log/request/merge-messages";
import { isAnswer } from "@/lib/log/request/walk-chain";
import { RecordKind } from "@/lib/log/table/kinds";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import type { ApiMessage, MessageNote, MessagesResponse } from "@/lib/wire/messages";
import { canonicalHash } from "./canonical-hash";
import { conversationRecords } from "./conversation-records";
import { measureContext, textSize } from "./measure-context";
import { type FindEarlier, rebuildRequest, requestBefore } from "./rebuild-request";
import { type RecordedRequest, recordedRequest, requestRef } from "./recorded-request";

/** Finds the session of the same project whose files hold a request: forks refer to the original's. */
export type FindElsewhere = (requestId: string) => Promise<OpenSession | null>;

/** Where what is not in a session's own files is looked for. */
export type OtherSessions = { findRequest: FindElsewhere; findEarlier: FindEarlier };

type Request = Pick<MessagesResponse, "source" | "verified" | "messages" | "system" | "tools"> & {
  recordIds: MessageNote["recordIds"][];
};

/** The messages that would be sent next, if the conversation went on behind this record. */
export async function messagesAfter(
  session: OpenSession,
  record: number,
  findEarlier: FindEarlier,
): Promise<ApiMessage[]> {
  return mergeParts(await rebuildRequest(session, record, true, findEarlier)).map(({ message }) => message);
}

/**
 * What the model was sent: for a line of an answer what led to it, for any other record all up to
 * and with it. `at` is a record id, a uuid or a tool-use id. Throws `record-not-found`.
 */
export async function sentMessages(
  session: OpenSession,
  at: string,
  others: OtherSessions,
): Promise<MessagesResponse> {
  const target = findTarget(session, at);
  const request = await requestAt(session, target, others);
  const before = await requestBefore(session, target, others.findEarlier);
  const previous = before && (await requestAt(before.session, before.record, others));
  const known = new Set(previous?.messages.map(canonicalHash));
  const kept = new Set<string>();
  const notes = request.messages.map((message, index): MessageNote => {
    const hash = canonicalHash(message);
    kept.add(hash);
    return {
      recordIds: request.recordIds[index] ?? [],
      chars: textSize(message.content),
      isNew: !known.has(hash),
    };
  });
  const gone = previous?.messages.filter((message) => !kept.has(canonicalHash(message))) ?? [];
  const { messages: logged } = session.table;
  const message = session.table.records.get("message", target);
  const { source, verified, messages, system, tools } = request;
  return {
    at: session.recordId(target),
    source,
    verified,
    messages,
    system,
    tools,
    model: message === -1 ? null : session.table.models.at(logged.get("model", message)),
    notes,
    shares: measureContext(request.messages, request.system, request.tools),
    dropped: previous && {
      messages: gone.length,
      chars: gone.reduce((sum, one) => sum + textSize(one.content), 0),
      compacted: compactedBetween(session, before?.session === session ? before.record : -1, target),
    },
  };
}

function findTarget(session: OpenSession, at: string): number {
  if (at.includes("~")) return session.find(at);
  const { table } = session;
  const uuid = table.uuids.find(at);
  if (uuid !== -1) {
    for (let record = 0; record < table.records.size; record++)
      if (table.records.get("uuid", record) === uuid) return record;
  }
  const call = table.callOfId[table.toolIds.find(at)];
  const use = call === undefined ? -1 : table.calls.get("use", call);
  if (use !== -1) return table.blocks.get("record", use);
  throw new ViewerError("record-not-found", "This session has no record, uuid or tool call of that name", {
    hint: "Use a record id, a uuid or a tool-use id of this session.",
  });
}

async function requestAt(
  session: OpenSession,
  target: number,
  { findRequest, findEarlier }: OtherSessions,
): Promise<Request> {
  const logged = isAnswer(session.table, target) ? (await readRecords(session, [target], 512))(target) : null;
  const ref = requestRef(logged);
  if (ref !== null) {
    const own = await recordedRequest(session, ref);
    const other = own ? null : await findRequest(ref);
    const recorded = own ?? (other && (await recordedRequest(other, ref)));
    if (recorded) return fromLog(session, target, recorded, own !== null);
  }
  const merged = mergeParts(await rebuildRequest(session, target, false, findEarlier));
  return {
    source: "rebuilt",
    messages: merged.map(({ message }) => message),
    recordIds: merged.map(({ records }) => records.map((record) => session.recordId(record))),
  };
}

/** `isOwn`: the request is logged in this session's files, so that its lines there can stand in. */
async function fromLog(
  session: OpenSession,
  target: number,
  { messages, system, tools, verified }: RecordedRequest,
  isOwn: boolean,
): Promise<Request> {
  const bare = messages.map(({ message }) => message as ApiMessage);
  const inThread = conversationRecords(await rebuildRequest(session, target), bare);
  return {
    source: "recorded",
    verified,
    messages: bare,
    system,
    tools,
    recordIds: messages.map(({ records }, index) => {
      const found = inThread[index] ?? [];
      const shown = found.length > 0 || !isOwn ? found : records;
      return shown.map((record) => session.recordId(record));
    }),
  };
}

/** A compaction boundary written after the answer before and ahead of this one. */
function compactedBetween({ table: { records } }: OpenSession, before: number, target: number): boolean {
  for (let record = before + 1; record < target; record++) {
    if (
      records.get("kind", record) === RecordKind.compactBoundary &&
      records.get("file", record) === records.get("file", target)
    )
      return true;
  }
  return false;
}
