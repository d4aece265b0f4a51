import type { Rewriting } from "@/lib/redact/home-folder";
import type { Catalog } from "@/lib/server/library/catalog";
import { isRecordId, type SessionId } from "@/lib/wire/ids";
import type { CompareQuery } from "@/lib/wire/requests/compare";
import type { OrScanning, ScanProgress } from "@/lib/wire/session";
import { alignSides, type Compared, type SideSource, usualBranch } from "./compare/align-sides";

import { isLogRewritten } from "./logs-read";
import { OpenSession } from "./open-session";
import type { RelatedSessions } from "./related-sessions";
import type { SessionRecordRef } from "./request/rebuild-request";
import type { SessionCache } from "./session-cache";
import { branchOf } from "./session-part";

/** The open sessions, and what is known of them together. */
export type ReadWorld = { catalog: Catalog; cache: SessionCache; others: RelatedSessions };

/** How often an answer is made anew because a log was rewritten under it, before it fails. */
const MAX_REOPENINGS = 3;

/**
 * Opens sessions for answers, as a reader with this redaction sees them, or as they are. Throws as `SessionCache.open`,
 * and `LogRewritten` where a log is rewritten again and again: nothing is answered of what it no longer holds.
 */
export class SessionReader {
  readonly #world: ReadWorld;
  readonly #redaction: Rewriting | null;

  constructor(world: ReadWorld, redaction: Rewriting | null) {
    this.#world = world;
    this.#redaction = redaction;
  }

  /** A session as this reader sees it. */
  seen(session: OpenSession): OpenSession {
    return this.#redaction ? session.redactedBy(this.#redaction) : session;
  }

  /** What `answer` says of a session, or how far its scan is. */
  async answer<T>(id: SessionId, answer: (session: OpenSession) => T | Promise<T>): Promise<OrScanning<T>> {
    const { cache, others } = this.#world;
    const answered = await this.#asLogged(
      () => cache.open(id),
      async (session) => answer(this.seen(await others.link(session))),
    );
    const redaction = this.#redaction;
    // Titles, paths and names of agents do not come from the records.
    return redaction ? (JSON.parse(redaction.redactLine(JSON.stringify(answered))) as T) : answered;
  }

  /** What `answer` says of a session, for answers that are bytes and cannot carry progress: waits for the scan. */
  async answerWhole<T extends object>(
    id: SessionId,
    answer: (session: OpenSession) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const { cache } = this.#world;
      const answered = await this.#asLogged(
        () => cache.opened(id),
        (session) => answer(this.seen(session)),
      );
      if (!("scanning" in answered)) return answered;
    }
  }

  /**
   * What is made of a session piece by piece, with this reader's redaction: waits for the scan. Begins anew where a log
   * was rewritten before the first piece, and throws `LogRewritten` where that happens later.
   */
  async *pieces<T>(id: SessionId, make: (session: OpenSession) => AsyncGenerator<T>): AsyncGenerator<T> {
    const { others } = this.#world;
    const redaction = this.#redaction;
    const started = await this.answerWhole(id, async (session) => {
      const pieces = make(await others.link(session));
      return { pieces, first: await pieces.next() };
    });
    const seen = (piece: T) =>
      redaction ? (JSON.parse(redaction.redactLine(JSON.stringify(piece))) as T) : piece;
    try {
      if (!started.first.done) yield seen(started.first.value);
      for await (const piece of started.pieces) yield seen(piece);
    } finally {
      await started.pieces.return(undefined);
    }
  }

  /** What `answer` says of a session: once more where a log was rewritten under it, or how far that is read. */
  async #asLogged<T>(
    open: () => Promise<OpenSession | ScanProgress>,
    answer: (session: OpenSession) => T | Promise<T>,
  ): Promise<OrScanning<T>> {
    for (let left = MAX_REOPENINGS; ; left--) {
      const session = await open();
      if (!(session instanceof OpenSession)) return session;
      try {
        return await answer(session);
      } catch (error) {
        if (!isLogRewritten(error) || left === 0) throw error;
        // Any of the sessions that it takes its answer from.
        const reopened = await this.#world.cache.reopen(error.sessionId);
        if (!(reopened instanceof OpenSession)) return reopened;
      }
    }
  }

  /** What `answer` says of two branches of a session, or of another session in place of either. */
  compared<T>(
    id: SessionId,
    { left, right }: CompareQuery,
    answer: (compared: Compared) => Promise<T>,
  ): Promise<OrScanning<T>> {
    return this.answer<OrScanning<T>>(id, async (own) => {
      const [named, other] = [await this.#sideOf(own, left), await this.#sideOf(own, right)];
      if (named && "scanning" in named) return named;
      if (other && "scanning" in other) return other;
      const beside = (one: SideSource | null) =>
        this.#sideOn(own, one?.session.files.id === id ? usualBranch(own, one.branch) : null);
      const shown = other ?? beside(named);
      return answer(alignSides(named ?? beside(shown), shown));
    });
  }

  /** The session in whose log a request is that this one's log names; null where none is known. */
  async findRequest(session: OpenSession, ref: string): Promise<OpenSession | null> {
    const found = await this.#world.others.findRequest(session, ref);
    return found && this.seen(found);
  }

  /** A record in an earlier session that this one goes on from; null where none is known. */
  async findEarlier(session: OpenSession, uuid: string): Promise<SessionRecordRef | null> {
    const found = await this.#world.others.findEarlier(session, uuid);
    return found && { ...found, session: this.seen(found.session) };
  }

  /** The side of a comparison that is named by a branch or another session; `null` if none is named. */
  async #sideOf(own: OpenSession, name: string | null): Promise<SideSource | ScanProgress | null> {
    if (name === null) return null;
    if (isRecordId(name)) return this.#sideOn(own, branchOf(own, name));
    const other = name as SessionId;
    await this.#world.catalog.settle(other);
    const session = await this.#world.cache.open(other);
    return session instanceof OpenSession ? this.#sideOn(this.seen(session), null) : session;
  }

  #sideOn(session: OpenSession, branch: SideSource["branch"] | null): SideSource {
    const { catalog } = this.#world;
    const { id } = session.files;
    const chosen = branch ?? branchOf(session, null);
    return { session, branch: chosen, title: catalog.summary(id).title, around: catalog.surroundings(id) };
  }
}
