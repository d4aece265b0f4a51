import type { Annotation } from "./annotations";
import type { AgentId, RecordId, SessionId } from "./ids";
import type { BlobRef, Row, RowLane } from "./rows";
import type { AgentEntry } from "./session";
import type { LeftOut } from "./shares";

/**
 * An exported HTML file holds the answers of the API that its page asks for, each the text of a
 * `<script type="application/json">`. Whoever asks finds an answer by the element's id. The rows of a thread are in as many
 * elements as there were windows, in order, with the thread in `data-rows`.
 */
export const EXPORTED = {
  /** What the file is of: an `ExportedSession`. */
  session: "session",
  /** The page's highlighter: the source of its worker, as base64 of gzip. */
  highlighter: "highlighter",
  /** The value of `data-rows`; the session's own thread has none. */
  rows: (agent: AgentId | null) => agent ?? "",
  call: (recordId: RecordId, block: number) => `call ${recordId}.${block}`,
  /** Of a row that shows its record. */
  record: (recordId: RecordId) => `record ${recordId}`,
  /** A line of the log, as a string: there for texts that an answer has cut. */
  line: (recordId: RecordId) => `line ${recordId}`,
  blob: ({ recordId, n }: Pick<BlobRef, "recordId" | "n">) => `blob ${recordId} ${n}`,
  brief: (turn: number) => `brief ${turn}`,
};

/**
 * `facts`: where and when, in words. `agents`: those whose threads are in the file. `agentPlaces`: where each of them stands
 * in the list to which the lanes of rows refer. `lastActiveAtMs`: until when what still runs is known to have run.
 * `leftOut`: what the link leaves out by which a guest exported it. `comments`: those that go with it, where they were asked
 * for. `logGone`: the session's own log is missing, so there is no thread of its own.
 */
export type ExportedSession = {
  id: SessionId;
  title: string;
  facts: string;
  turns: number;
  lastActiveAtMs: number | null;
  leftOut: readonly LeftOut[];
  logGone: boolean;
  agents: AgentEntry[];
  agentPlaces: number[];
  comments: readonly Annotation[];
};

/** The bytes of an image, a document or an output. */
export type ExportedBlob = { mediaType: string | null; base64: string };

/**
 * A row whose lanes name their agents by their places in another list; a lane of an agent that is not in it is none. How
 * many others pass is as it was: who names them sees to it that they are in the list, unless it is empty.
 * @param places the place of an agent there, by that which the lanes name
 */
export function withAgentPlaces({ lanes, passing, ...row }: Row, places: ReadonlyMap<number, number>): Row {
  const held = (lanes ?? []).flatMap(([lane, column, phase, from, agent]): RowLane[] => {
    const place = places.get(agent);
    return place === undefined ? [] : [[lane, column, phase, from, place]];
  });
  const others = places.size > 0 ? passing : undefined;
  return { ...row, ...(held.length > 0 && { lanes: held }), ...(others && { passing: others }) };
}
