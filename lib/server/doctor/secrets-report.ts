import { Redaction } from "@/lib/redact/redaction";
import type { Catalog } from "@/lib/server/library/catalog";
import { bytesOf } from "@/lib/server/library/session-files";
import { type LongWork, resultOrProgress } from "@/lib/server/runtime/patience";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { compareKinds, kindsOf, logsOf, type SessionSecrets } from "@/lib/server/secrets/session-secrets";
import type { DoctorPlace } from "@/lib/wire/doctor";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import type { DoctorSecrets, SecretKind, SecretsReport } from "@/lib/wire/secrets";
import type { ScanProgress } from "@/lib/wire/session";

const MAX_PLACES = 1000;

/** What is cached of a session between reports: nothing that is secret. */
type Summary = {
  signature: string;
  title: string;
  bytes: number;
  kinds: SecretKind[];
  places: { rule: string; place: DoctorPlace }[];
  unread: SecretsReport["unread"];
};

type Search = LongWork<SecretsReport> & { isOver: boolean };

/** Lists the secrets in all sessions or one. A session is read again only when it has changed. */
export class SecretsDoctor {
  readonly #catalog: Catalog;
  readonly #secrets: SessionSecrets;
  readonly #known = new Map<SessionId, Summary>();
  readonly #runs = new Map<SessionId | null, Search>();

  constructor(catalog: Catalog, secrets: SessionSecrets) {
    this.#catalog = catalog;
    this.#secrets = secrets;
  }

  /** The report, or how far it has got. Throws ViewerErrors: `session-not-found`, `bad-pattern`. */
  async report(session: SessionId | null): Promise<SecretsReport | ScanProgress> {
    return resultOrProgress(this.#run(session));
  }

  /** Like `report`, but waits until it is complete. */
  whole(session: SessionId | null): Promise<SecretsReport> {
    return this.#run(session).done;
  }

  /** A search in progress is joined, even if files have grown since: the next request sees that. */
  #run(session: SessionId | null): Search {
    const known = this.#runs.get(session);
    if (known && !known.isOver) return known;
    const ids = session === null ? this.#catalog.summaries().map(({ id }) => id) : [session];
    const bytesTotal = ids.reduce((sum, id) => sum + bytesOf(this.#catalog.sessionFiles(id)), 0);
    const progress = { bytesDone: 0, bytesTotal, isOver: false };
    const done = this.#compute(session, ids, progress).finally(() => {
      progress.isOver = true;
    });
    const run: Search = Object.assign(progress, { done });
    // The request reports it; there may be none any more.
    done.catch(() => undefined);
    this.#runs.set(session, run);
    return run;
  }

  async #compute(
    session: SessionId | null,
    ids: readonly SessionId[],
    progress: { bytesDone: number },
  ): Promise<SecretsReport> {
    const summaries: [SessionId, Summary][] = [];
    for (const id of ids) {
      const summary = await this.#summary(id).catch((error: unknown) => {
        // A session that was deleted since all were listed is left out; if it was the requested one, that is the
        // answer.
        if (session === null && isViewerError(error) && error.code === "session-not-found") return null;
        throw error;
      });
      if (summary === null) continue;
      summaries.push([id, summary]);
      progress.bytesDone += summary.bytes;
    }
    if (session === null) {
      const listed = new Set(ids);
      for (const id of this.#known.keys()) if (!listed.has(id)) this.#known.delete(id);
    }
    const [only] = summaries;
    return {
      session: session !== null && only ? { id: session, title: only[1].title } : null,
      bytes: summaries.reduce((sum, [, { bytes }]) => sum + bytes, 0),
      kinds: mergedKinds(summaries.map(([, summary]) => summary)),
      sessions: summaries
        .map(([id, { title, kinds }]) => {
          const secret = kinds.filter(({ personal }) => !personal);
          const counts = Object.fromEntries(secret.map(({ rule, count }) => [rule, count]));
          return { id, title, count: secret.reduce((sum, { count }) => sum + count, 0), counts };
        })
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count),
      unread: summaries.flatMap(([, { unread }]) => unread),
    };
  }

  async #summary(id: SessionId): Promise<Summary> {
    const known = this.#known.get(id);
    if (known && known.signature === (await this.#secrets.signature(id))) return known;
    const run = await this.#secrets.run(id, true);
    const logs = logsOf(this.#catalog.sessionFiles(id));
    const { title } = this.#catalog.summary(id);
    const scanned = await run.done;
    const places = scanned.findings.map(
      ({ rule, name, file, logLine, offset, length, field, line, preview }) => {
        const { name: fileName = "", key = "" } = logs[file] ?? {};
        const note = `${name}: ${preview}${field === "" ? "" : `, in ${field}, line ${line}`}`;
        const recordId = formatRecordId(key, offset);
        return {
          rule,
          place: { sessionId: id, file: fileName, line: logLine, offset, length, recordId, note },
        };
      },
    );
    const summary = {
      signature: run.signature,
      title: new Redaction([], [], scanned.learned).redactText(title),
      ...{ bytes: scanned.bytes, kinds: kindsOf(scanned), places, unread: scanned.unread },
    };
    this.#known.set(id, summary);
    return summary;
  }
}

function mergedKinds(summaries: readonly Summary[]): DoctorSecrets[] {
  const kinds = new Map<string, DoctorSecrets & { inFiles: Set<string> }>();
  for (const { kinds: own, places } of summaries) {
    for (const { rule, title, personal, count, distinct } of own) {
      const level = personal ? ("info" as const) : ("warning" as const);
      const known = kinds.get(rule) ?? {
        ...{ rule, level, title, personal, count: 0, distinct: 0, files: 0, places: [] },
        inFiles: new Set<string>(),
      };
      kinds.set(rule, known);
      known.count += count;
      known.distinct += distinct;
    }
    for (const { rule, place } of places) {
      const kind = kinds.get(rule);
      kind?.inFiles.add(`${place.sessionId} ${place.file}`);
      if (kind && kind.places.length < MAX_PLACES) kind.places.push(place);
    }
  }
  return [...kinds.values()]
    .map(({ inFiles, ...kind }) => ({ ...kind, files: inFiles.size }))
    .sort(compareKinds);
}

const doctors = new WeakMap<SessionSecrets, SecretsDoctor>();

/** The doctor of these secrets, created on first use. */
export function secretsDoctorOf(catalog: Catalog, secrets: SessionSecrets): SecretsDoctor {
  const doctor = doctors.get(secrets) ?? new SecretsDoctor(catalog, secrets);
  doctors.set(secrets, doctor);
  return doctor;
}
