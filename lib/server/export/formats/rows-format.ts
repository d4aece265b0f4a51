import { toPrintableJson } from "@/lib/format/text";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { CommentThread } from "@/lib/wire/comment-threads";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { ExportedComments } from "../exported-comments";
import { agentEntriesOf, agentsOf, eachRow } from "../exported-threads";
import { settled } from "../html/log-reader";
import { isOfAll, type Pieces, type Source } from "./source";

/**
 * The session, the chosen part of it, its rows, its agents each with its own, and the comments that go along, as the API
 * returns them.
 */
export async function* writeRows(source: Source): Pieces {
  const { sessions, files, choice } = source;
  const comments = new ExportedComments(source.comments ?? []);
  const told: CommentThread[] = [];
  const noted = (row: Row) => {
    told.push(...comments.takeAt(row));
    return row;
  };
  const session = await settled(() => sessions.detail(files.id));
  yield `{"session":${toPrintableJson(session)},`;
  if (choice && !choice.isWhole) {
    const { branch, turns, records, thinking, tools, agents, images } = choice;
    const part = { branch, turns, records: records && [...records], thinking, tools, agents, images };
    yield `"part":${toPrintableJson(part)},`;
  }
  yield `"rows":[`;
  const threads = files.main.gone ? [...(await agentsOf(sessions, files.id)).keys()] : [null];
  yield* jsonRows(sessions, files.id, threads, noted);
  yield '\n],"agents":[';
  let separator = "\n";
  for await (const entry of agentEntriesOf(sessions, files.id)) {
    yield `${separator}${toPrintableJson(entry).slice(0, -1)},"rows":[`;
    yield* jsonRows(sessions, files.id, [entry.agentId], noted);
    yield "\n]}";
    separator = ",\n";
  }
  yield "\n]";
  if (isOfAll(source)) told.push(...comments.left);
  if (source.comments !== null)
    yield `,"comments":${toPrintableJson(told.flatMap(({ begins, answers }) => [begins, ...answers]))}`;
  yield "}\n";
}

/** The rows of these threads, one after another. `noted` is told of each. */
async function* jsonRows(
  sessions: SessionQueries,
  id: SessionId,
  threads: readonly (AgentId | null)[],
  noted: (row: Row) => Row,
): Pieces {
  let separator = "\n";
  for (const thread of threads) {
    for await (const row of eachRow(sessions, id, thread, "everything")) {
      yield separator + toPrintableJson(noted(row));
      separator = ",\n";
    }
  }
}
