import { Worker } from "node:worker_threads";
import { RE2JS } from "re2js";
import { putLatest } from "@/lib/format/lists";
import { homeFoldersOf, type Rewriting, withShortPaths } from "@/lib/redact/home-folder";
import { type Learned, Redaction } from "@/lib/redact/redaction";
import { isPersonal, nameOfKind } from "@/lib/redact/rules";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Catalog } from "@/lib/server/library/catalog";
import { bytesOf, type SessionFiles, signatureOf } from "@/lib/server/library/session-files";
import { type LongWork, progressOf, resultSoon } from "@/lib/server/runtime/patience";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import type { FindingsResponse, SecretFinding, SecretKind } from "@/lib/wire/secrets";
import type { ScanProgress } from "@/lib/wire/session";
import { readOwnPatterns } from "./own-patterns";
import type { LoggedFinding, ScannedSecrets, SecretsRequest } from "./scan-secrets";

/** A preview, and the export after it, need the same session. The results stay in memory, and nowhere else. */
const MAX_KEPT = 8;

/** Finds the secrets of a session: in the server on a worker thread, in tests `scanSecrets` itself. */
export type ScanSecrets = (
  request: SecretsRequest,
  onProgress: (bytes: number) => void,
) => ScannedSecrets | Promise<ScannedSecrets>;

/** A worker thread that handles one session after another. */
export function startSecretsThread(): ScanSecrets {
  const thread = new WorkerThread<SecretsRequest, ScannedSecrets, number>(
    () => new Worker(new URL("./secrets.worker.ts", import.meta.url), { workerData: archiveData() }),
  );
  return (request, onProgress) => thread.ask(request, onProgress);
}

/** A scan that is running or done. */
export type SecretsRun = LongWork<ScannedSecrets> & {
  signature: string;
  own: string[];
  /** What it has learned when it is done. */
  learned: Learned | undefined;
  /** Bytes of each log that are read, by path. */
  upTo: Record<string, number>;
};

/**
 * Finds and caches the secrets of sessions. A session is read again only when one of its logs, or a pattern, has
 * changed; of a log that has grown, what was appended.
 */
export class SessionSecrets {
  readonly #catalog: Catalog;
  readonly #scan: ScanSecrets;
  readonly #dataDir: string | null;
  readonly #runs = new Map<SessionId, SecretsRun>();

  /** @param dataDir where the user's own patterns are, if anywhere */
  constructor(catalog: Catalog, scan: ScanSecrets, dataDir: string | null = null) {
    this.#catalog = catalog;
    this.#scan = scan;
    this.#dataDir = dataDir;
  }

  /** Changes whenever a log of the session or one of the user's patterns does. Throws what `run` throws. */
  async signature(id: SessionId): Promise<string> {
    const own = await readOwnPatterns(this.#dataDir);
    return [signatureOf(this.#catalog.sessionFiles(id)), ...own].join("\n");
  }

  /**
   * The scan of a session as it is now. Throws ViewerErrors: `session-not-found`, `bad-pattern`.
   * @param isListed its folder has just been listed
   */
  async run(id: SessionId, isListed = false): Promise<SecretsRun> {
    const own = await readOwnPatterns(this.#dataDir);
    const files = isListed ? this.#catalog.sessionFiles(id) : await this.#catalog.refresh(id);
    const signature = [signatureOf(files), ...own].join("\n");
    const known = this.#runs.get(id);
    const hasOwn = known?.own.join("\n") === own.join("\n");
    const run =
      known?.signature === signature ? known : this.#start(files, own, signature, hasOwn ? known : undefined);
    putLatest(this.#runs, id, run, MAX_KEPT);
    return run;
  }

  /**
   * What the last scan of a session has learned, even if the session has grown since; without one, what a first scan
   * learns. `upTo`: of how many bytes of each log, by path.
   */
  async known(id: SessionId): Promise<{ learned: Learned; upTo: Record<string, number> }> {
    const { done, upTo } = this.#runs.get(id) ?? (await this.run(id));
    return { learned: (await done).learned, upTo };
  }

  /** What is known of a session without reading it: by its last scan, if that is still kept; `null` if not. */
  knownNow(id: SessionId): Learned | null {
    return this.#runs.get(id)?.learned ?? null;
  }

  /** The user's own patterns. Throws `bad-pattern`. */
  ownPatterns(): Promise<string[]> {
    return readOwnPatterns(this.#dataDir);
  }

  /** @param known the scan before with the same patterns: this one goes on from what it finds */
  #start(files: SessionFiles, own: string[], signature: string, known?: SecretsRun): SecretsRun {
    const upTo = Object.fromEntries(logsOf(files).map(({ path, bytes }) => [path, bytes]));
    const run = { signature, own, learned: known?.learned, bytesDone: 0, bytesTotal: bytesOf(files), upTo };
    const logs = logsOf(files).map(({ path, name }) => ({ path, name }));
    const scanned = async () => {
      // If it failed, all is read.
      const before = await known?.done.catch(() => undefined);
      const found = await this.#scan({ root: files.root, files: logs, own, before }, (bytes) => {
        run.bytesDone += bytes;
      });
      run.learned = found.learned;
      return found;
    };
    const started: SecretsRun = Object.assign(run, { done: scanned() });
    started.done.catch(() => this.#runs.get(files.id) === started && this.#runs.delete(files.id));
    return started;
  }

  /** What would be redacted in a session, with positions; or how far the search for it has got. */
  async findings(id: SessionId): Promise<FindingsResponse | ScanProgress> {
    const run = await this.run(id);
    const scanned = await resultSoon(run.done);
    if (!scanned) return progressOf(run);
    const logs = logsOf(this.#catalog.sessionFiles(id));
    return {
      findings: scanned.findings.map((finding) => toWire(finding, logs[finding.file]?.key ?? "")),
      counts: scanned.counts,
      kinds: kindsOf(scanned),
    };
  }

  /**
   * The redaction of a session, which knows all that is in its logs.
   * @param kept names of what is excepted, like `email 2`
   */
  async redaction(id: SessionId, kept: readonly string[] = []): Promise<Redaction> {
    const { done } = await this.run(id);
    const own = await readOwnPatterns(this.#dataDir);
    return new Redaction(
      own.map((pattern) => RE2JS.compile(pattern)),
      kept,
      (await done).learned,
    );
  }

  /**
   * What is replaced in a session for a reader, as an export is asked for; `null` where nothing is.
   * @param asked `redact`: its secrets, but for those that `except` names; `tilde`: the home folder that it was in;
   * `relative`: the folder of its project
   */
  async rewriting(
    id: SessionId,
    { redact, except = [], tilde, relative }: AskedRewriting,
  ): Promise<Rewriting | null> {
    const redaction = redact ? await this.redaction(id, except) : null;
    const { projectPath, root } = this.#catalog.sessionFiles(id);
    const homes = tilde ? homeFoldersOf([projectPath, root]) : [];
    return withShortPaths({ homes, project: relative ? projectPath : null }, redaction);
  }
}

/** What an export asks to be replaced. */
type AskedRewriting = {
  redact: boolean;
  except?: readonly string[];
  tilde: boolean;
  relative: boolean;
};

/** The logs of a session as they are read. */
export function logsOf({
  main,
  agents,
}: SessionFiles): Pick<SessionFiles["main"], "path" | "name" | "key" | "bytes">[] {
  return main.gone ? agents : [main, ...agents];
}

/** The kinds that were found, secrets first, the most frequent first. */
export function kindsOf({ counts, distinct }: ScannedSecrets): SecretKind[] {
  return Object.entries(counts)
    .map(([rule, count]) => ({
      ...{ rule, title: nameOfKind(rule), personal: isPersonal(rule), count },
      distinct: distinct[rule] ?? 0,
    }))
    .sort(compareKinds);
}

/** Orders kinds as readers see them: what is secret before what is personal, then the most frequent first. */
export function compareKinds(a: SecretKind, b: SecretKind): number {
  return Number(a.personal) - Number(b.personal) || b.count - a.count || (a.rule < b.rule ? -1 : 1);
}

function toWire({ rule, name, offset, field, line, preview }: LoggedFinding, key: string): SecretFinding {
  const block = /^message\.content\[(\d+)\]/.exec(field)?.[1];
  return {
    ...{ rule, name, recordId: formatRecordId(key, offset) },
    ...{ block: block === undefined ? null : Number(block), field, line, preview },
  };
}
