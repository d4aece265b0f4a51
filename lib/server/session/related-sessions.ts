import { answeredTurns, answerKey } from "@/lib/log/graph/session-share";
import { RecordKind } from "@/lib/log/table/kinds";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals, SharedTotals } from "@/lib/server/library/library-totals";
import { noTotals } from "@/lib/server/library/numbered-share";
import { countedSessions } from "@/lib/server/library/project-totals";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { RelatedSession, Relation } from "@/lib/wire/session";
import { findInheritedRecords } from "./inherited-records";
import { OpenSession } from "./open-session";
import type { SessionRecordRef } from "./request/rebuild-request";
import { holdsText } from "./request/sent-messages";
import type { SessionCache } from "./session-cache";

const NEIGHBOURS: ReadonlySet<Relation> = new Set<Relation>(["forked-from", "continues", "continued-in"]);

/** A session that shares history with another one, as the catalogue lists it. */
type Related = ReturnType<Catalog["related"]>[number];

/** Finds what one session has in common with others: copied lines, earlier lines, logged requests. */
export class RelatedSessions {
  readonly #catalog: Catalog;
  readonly #cache: SessionCache;
  readonly #libraryTotals: () => LibraryTotals | null;

  constructor(catalog: Catalog, cache: SessionCache, libraryTotals: () => LibraryTotals | null) {
    this.#catalog = catalog;
    this.#cache = cache;
    this.#libraryTotals = libraryTotals;
  }

  /** The session with the records it shares with those before and after it, as far as those have been read. */
  async link(session: OpenSession): Promise<OpenSession> {
    const neighboursOf = async (relation: Relation) => {
      const neighbours: { session: OpenSession; title: string }[] = [];
      for (const { id, summary } of this.#relatedBy(relation, session)) {
        // One that was never read would delay this answer; the next one includes it.
        const isRead = (await this.#cache.open(id).catch(nullIfGone)) instanceof OpenSession;
        if (isRead) neighbours.push({ session: await this.#cache.latest(id), title: summary.title });
      }
      return neighbours;
    };
    session.relink(await findInheritedRecords(session, neighboursOf, (uuid) => this.#titled(uuid)));
    return session;
  }

  /** Forks and branches refer to requests of the session they were copied from: searches the project's logs. */
  async findRequest(session: OpenSession, ref: string): Promise<OpenSession | null> {
    for (const { id, projectId } of this.#catalog.summaries()) {
      if (projectId !== session.files.projectId || id === session.files.id) continue;
      const files = this.#catalog.sessionFiles(id);
      if (files.main.gone) continue;
      const holds = holdsText(files.root, files.main.path, `"id":"${ref}"`);
      const found = (await holds.catch(nullIfGone)) ? await this.#openedOrNull(id) : null;
      if (found) return found;
    }
    return null;
  }

  /** The line with this uuid in a session that this one continues. */
  async findEarlier(session: OpenSession, uuid: string): Promise<SessionRecordRef | null> {
    for (const { id } of this.#relatedBy("continues", session)) {
      const earlier = await this.#openedOrNull(id);
      const record = earlier?.findUuid(uuid) ?? -1;
      if (earlier && record !== -1) return { session: earlier, record };
    }
    return null;
  }

  /** What other sessions contain of this one; null while another session may turn out to contain some of it. */
  sharedTotals(id: SessionId): SharedTotals | null {
    const totals = this.#libraryTotals();
    const isComplete = totals && countedSessions(this.#catalog, totals).every((one) => totals.has(one));
    return isComplete ? totals.shared(id) : null;
  }

  /**
   * The sessions that share history with one: those whose logs have the same beginning, and any other that contains
   * some of its messages. Its direct neighbours come first, then the newest: a session may have a thousand copies.
   * @param shared its `sharedTotals`
   */
  list(id: SessionId, shared: SharedTotals | null): Related[] {
    const related = this.#catalog.related(id);
    const known = new Set([id, ...related.map((one) => one.id)]);
    for (const summary of this.#catalog.summaries())
      if (shared?.with.has(summary.id) && !known.has(summary.id))
        related.push({ id: summary.id, relation: "shares-history", summary });
    const farness = ({ relation }: Related) => (NEIGHBOURS.has(relation) ? 0 : 1);
    return related.sort(
      (a, b) =>
        farness(a) - farness(b) ||
        (b.summary.lastActiveAtMs ?? 0) - (a.summary.lastActiveAtMs ?? 0) ||
        (a.id < b.id ? -1 : 1),
    );
  }

  /** Some of the listed sessions with what they share with one, which requires reading each of them. */
  async describe(
    session: OpenSession,
    listed: readonly Related[],
    shared: SharedTotals | null,
  ): Promise<RelatedSession[]> {
    const described: RelatedSession[] = [];
    for (const { id, relation, summary } of listed) {
      const goesOn = relation === "continues" || relation === "continued-in";
      const other = await this.#openedOrNull(id);
      // Its log is gone, or cannot be read: its shared records are not known.
      if (!goesOn && !other) continue;
      const { count, last } = other ? sharedRecords(session, other) : { count: 0, last: null };
      const { title, lastActiveAtMs } = summary;
      described.push({
        ...{ id, title, lastActiveAtMs, sharedRecords: count, lastSharedRecordId: last },
        // A part of a session that was written out with its agents begins later, and has lines of it all the same.
        relation: goesOn && count > 0 ? "shares-history" : relation,
        shared: shared && (shared.with.get(id) ?? noTotals()),
      });
    }
    return described;
  }

  #openedOrNull(id: SessionId): Promise<OpenSession | null> {
    return this.#cache.opened(id).catch(nullIfGone);
  }

  /** In an order that does not depend on which of them was found first. */
  #relatedBy(relation: Relation, { files }: OpenSession): Related[] {
    const found = this.#catalog.related(files.id).filter((one) => one.relation === relation);
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #titled(uuid: string): { sessionId: SessionId; title: string } | null {
    try {
      const { id, title } = this.#catalog.summary(uuid as SessionId);
      return { sessionId: id, title };
    } catch (error) {
      return nullIfGone(error);
    }
  }
}

function nullIfGone(error: unknown): null {
  if (isViewerError(error)) return null;
  throw error;
}

/**
 * The records of a session that another session contains as well: by uuid, or, where the two have no uuid in common
 * (1.0.60 resumes under new ones), by ids that are kept: an answer's message, a result's call, the answer to a prompt.
 */
function sharedRecords(own: OpenSession, other: OpenSession): { count: number; last: RecordId | null } {
  const { records, uuids } = own.table;
  const theirs = uuidsOf(other);
  let shared = recordsWhere(own, (record) => {
    const key = records.uuid.at(record);
    return key !== -1 && theirs.has(uuids.wordsOf(key));
  });
  if (shared.length === 0) {
    const [ours, known] = [answersOf(own), new Set(answersOf(other).values())];
    shared = recordsWhere(own, (record) => known.has(ours.get(record) ?? ""));
  }
  const last = shared.findLast((record) => records.file.at(record) === 0);
  return { count: shared.length, last: last === undefined ? null : own.recordId(last) };
}

function recordsWhere({ table: { records } }: OpenSession, holds: (record: number) => boolean): number[] {
  const found: number[] = [];
  for (let record = 0; record < records.size; record++) if (holds(record)) found.push(record);
  return found;
}

/** Records by the id that a copy of them keeps: lines of an answer, results, and prompts that were answered. */
export function answersOf({ table, graph }: OpenSession): Map<number, string> {
  const { records, messageIds, blocks, toolIds, copies } = table;
  const found = new Map<number, string>();
  const idOfCall = new Map<number, number>();
  for (const [id, call] of table.callIds()) idOfCall.set(call, id);
  for (const { call, id } of copies.list) idOfCall.set(call, id);
  for (const [prompt, message] of answeredTurns(table, graph))
    found.set(prompt, `prompt ${answerKey(table, prompt, message)}`);
  for (let record = 0; record < records.size; record++) {
    const kind = records.kind.at(record);
    const message = records.message.at(record);
    if (message !== -1) found.set(record, `answer ${messageIds.wordsOf(message)}`);
    if (kind !== RecordKind.results) continue;
    const id = idOfCall.get(blocks.call.at(records.firstBlock.at(record)));
    if (id !== undefined) found.set(record, `result ${toolIds.wordsOf(id)}`);
  }
  return found;
}

/** The uuids of a session's own lines; its index also has those that lines only refer to. */
export function uuidsOf({ table: { records, uuids } }: OpenSession): Set<string> {
  const found = new Set<string>();
  for (let record = 0; record < records.size; record++) {
    const key = records.uuid.at(record);
    if (key !== -1) found.add(uuids.wordsOf(key));
  }
  return found;
}
