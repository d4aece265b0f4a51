import { relative, sep } from "node:path";
import { Worker } from "node:worker_threads";
import { compareVersions } from "@/lib/format/text";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Catalog } from "@/lib/server/library/catalog";
import { type LogFile, type SessionFiles, storageOf } from "@/lib/server/library/session-files";
import { type LongWork, resultOrProgress } from "@/lib/server/runtime/patience";
import { nextSlice } from "@/lib/server/runtime/slices";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { DoctorReport } from "@/lib/wire/doctor";
import type { SessionId } from "@/lib/wire/ids";
import type { ScanProgress } from "@/lib/wire/session";
import { FindingTally, NameTally } from "./examination";
import type { ExamineRequest, FilesReport } from "./examine";

/** Examines files: in the server on a worker thread, in tests `examine` itself. */
export type Examine = (
  request: ExamineRequest,
  onProgress: (bytes: number) => void,
) => FilesReport | Promise<FilesReport>;

type Subject = { request: ExamineRequest; signature: string; bytes: number };
type Entry = { signature: string; report: FilesReport };
type Progress = ScanProgress["scanning"];
type Examination = LongWork<DoctorReport> & { signature: string };

/**
 * Reports what was read, and which rules it violates, for every file in the catalogue. A session is examined
 * again only when one of its files has changed; at most one examination runs at a time.
 */
export class Doctor {
  readonly #catalog: Catalog;
  readonly #examine: Examine;
  readonly #known = new Map<string, Entry>();
  readonly #runs = new Map<SessionId | null, Examination>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(catalog: Catalog, examine: Examine) {
    this.#catalog = catalog;
    this.#examine = examine;
  }

  /** The report of one session, or with `null` of all files; or how far it is. Throws ViewerError `session-not-found`. */
  async report(session: SessionId | null): Promise<DoctorReport | ScanProgress> {
    return resultOrProgress(this.#run(session));
  }

  /** Like `report`, but waits until it is complete. */
  whole(session: SessionId | null): Promise<DoctorReport> {
    return this.#run(session).done;
  }

  #run(session: SessionId | null): Examination {
    const subjects = this.#subjects(session);
    const unread = session === null ? this.#unread() : [];
    const kept = this.#kept(session);
    const signature = [
      `${kept.sessions} ${kept.files}`,
      ...subjects.map((subject) => subject.signature),
      ...unread.map(({ file, code, bytes }) => `${file} ${code} ${bytes}`),
    ].join("\n");
    const known = this.#runs.get(session);
    // A run in progress is joined, even if files have grown since: the next request sees that.
    if (known && (known.signature === signature || known.bytesDone < known.bytesTotal)) return known;
    const bytesTotal = subjects.reduce((sum, subject) => sum + subject.bytes, 0);
    const progress: Progress = { bytesDone: 0, bytesTotal };
    const done = this.#queue.then(() => this.#compute(session, subjects, { unread, kept }, progress));
    const run: Examination = Object.assign(progress, { signature, done });
    run.done.catch(() => this.#runs.delete(session));
    this.#queue = run.done.catch(() => undefined);
    this.#runs.set(session, run);
    return run;
  }

  async #compute(
    session: SessionId | null,
    subjects: Subject[],
    { unread, kept }: Pick<DoctorReport, "unread" | "kept">,
    run: Progress,
  ): Promise<DoctorReport> {
    const sum = new ReportSum();
    sum.addUnread(unread);
    for (const subject of subjects) {
      sum.add(await this.#examined(subject, run), subject.request.sessionId !== null);
      await nextSlice();
    }
    if (session === null) this.#forgetGone(subjects);
    run.bytesDone = run.bytesTotal;
    const title = session === null ? null : { id: session, title: this.#catalog.summary(session).title };
    return sum.toReport(title, { kept, gone: this.#gone(session) });
  }

  async #examined({ request, signature, bytes }: Subject, run: Progress): Promise<FilesReport> {
    const key = keyOf(request);
    const known = this.#known.get(key);
    const before = run.bytesDone;
    if (known?.signature === signature) {
      run.bytesDone = before + bytes;
      return known.report;
    }
    const report = await this.#examine(request, (read) => {
      // Less than the total until the report has been summed up.
      run.bytesDone = Math.min(run.bytesDone + read, run.bytesTotal - 1);
    });
    this.#known.set(key, { signature, report });
    run.bytesDone = Math.min(before + bytes, run.bytesTotal);
    return report;
  }

  #forgetGone(subjects: readonly Subject[]): void {
    const kept = new Set(subjects.map((subject) => keyOf(subject.request)));
    for (const key of this.#known.keys()) if (!kept.has(key)) this.#known.delete(key);
  }

  #unread(): DoctorReport["unread"] {
    return this.#catalog.unreadFiles().map(({ root, file: { path, bytes, code, message, hint } }) => {
      return { file: nameIn(root, path), code, message, hint, bytes };
    });
  }

  #idsOf(session: SessionId | null): SessionId[] {
    return session === null ? this.#catalog.summaries().map(({ id }) => id) : [session];
  }

  /** The requested sessions that are only kept. */
  #kept(session: SessionId | null): DoctorReport["kept"] {
    const files = this.#idsOf(session)
      .map((id) => this.#catalog.sessionFiles(id))
      .filter((one) => storageOf(one) === "archive");
    const logs = files.flatMap(({ main, agents }) => (main.gone ? agents : [main, ...agents]));
    const bytes = logs.reduce((sum, log) => sum + log.bytes, 0);
    return { sessions: files.length, files: logs.length, bytes };
  }

  /** The requested sessions that have only agents' logs left. */
  #gone(session: SessionId | null): DoctorReport["gone"] {
    return this.#idsOf(session).flatMap((id) => {
      const { root, main, agents } = this.#catalog.sessionFiles(id);
      if (!main.gone) return [];
      const bytes = agents.reduce((sum, agent) => sum + agent.bytes, 0);
      return [{ sessionId: id, file: nameIn(root, main.path), files: agents.length, bytes }];
    });
  }

  #subjects(session: SessionId | null): Subject[] {
    if (session !== null) return [ofSession(this.#catalog.sessionFiles(session))];
    const sessions = this.#catalog.summaries().map(({ id }) => ofSession(this.#catalog.sessionFiles(id)));
    return [...sessions, ...this.#catalog.outsideFiles().map(ofOutside)];
  }
}

function ofSession({ id, root, main, agents }: SessionFiles): Subject {
  const mains = main.gone ? [] : [main];
  const files = [
    ...mains.map(({ path, name, key }) => ({ path, name, key, isAgent: false })),
    ...agents.map(({ path, name, key }) => ({ path, name, key, isAgent: true })),
  ];
  return subject({ sessionId: id, root, files }, [...mains, ...agents]);
}

function ofOutside({
  root,
  file,
}: {
  root: string;
  file: Pick<LogFile, "path" | "name" | "bytes" | "dev" | "ino" | "mtimeMs">;
}): Subject {
  const name = nameIn(root, file.path);
  return subject({ sessionId: null, root, files: [{ path: file.path, name, key: "m", isAgent: false }] }, [
    file,
  ]);
}

function nameIn(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/") || path;
}

function subject(
  request: ExamineRequest,
  files: readonly Pick<LogFile, "bytes" | "dev" | "ino" | "mtimeMs">[],
): Subject {
  const signature = files
    .map(({ dev, ino, bytes, mtimeMs }) => `${dev}:${ino}:${bytes}:${mtimeMs}`)
    .join(" ");
  return { request, signature, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
}

function keyOf({ sessionId, files }: ExamineRequest): string {
  return `${sessionId ?? ""} ${files[0]?.path}`;
}

const doctors = new WeakMap<Catalog, Doctor>();

/** The doctor of a catalogue, created on first use. */
export function doctorOf(catalog: Catalog): Doctor {
  const known = doctors.get(catalog);
  if (known) return known;
  const doctor = new Doctor(catalog, startDoctorThread());
  doctors.set(catalog, doctor);
  return doctor;
}

/** Adds up the reports of many files. */
class ReportSum {
  readonly #names = {
    types: new NameTally(),
    stopReasons: new NameTally(),
    blocks: new NameTally(),
    tools: new NameTally(),
  };
  readonly #findings = new FindingTally();
  readonly #versions = new Map<string, DoctorReport["versions"][number]>();
  readonly #unread: DoctorReport["unread"] = [];
  readonly #outside: DoctorReport["outside"] = [];
  readonly #sums = {
    sessions: 0,
    files: 0,
    bytes: 0,
    filesOutside: 0,
    lines: 0,
    records: 0,
    unreadable: 0,
    salvaged: 0,
  };

  /** `inSession` is false for a file that belongs to no session. */
  add(report: FilesReport, inSession: boolean): void {
    const sums = this.#sums;
    sums.sessions += inSession ? 1 : 0;
    sums.filesOutside += inSession ? 0 : report.files;
    for (const name of ["files", "bytes", "lines", "records", "unreadable", "salvaged"] as const)
      sums[name] += report[name];
    for (const name of ["types", "stopReasons", "blocks", "tools"] as const)
      this.#names[name].merge(report[name]);
    this.#findings.merge(report.findings);
    this.#unread.push(...report.unread);
    this.#outside.push(...report.outside);
    for (const { version, records, files } of report.versions) {
      const known = this.#versions.get(version) ?? { version, records: 0, files: 0 };
      this.#versions.set(version, { version, records: known.records + records, files: known.files + files });
    }
  }

  /** Adds files that could not even be opened. */
  addUnread(unread: DoctorReport["unread"]): void {
    this.#unread.push(...unread);
  }

  toReport(
    session: DoctorReport["session"],
    { kept, gone }: Pick<DoctorReport, "kept" | "gone">,
  ): DoctorReport {
    const types = this.#names.types.list();
    return {
      session,
      ...this.#sums,
      unknown: types.reduce((sum, type) => sum + (type.known ? 0 : type.total), 0),
      unread: this.#unread,
      outside: this.#outside,
      kept,
      gone,
      versions: [...this.#versions.values()].sort((a, b) => compareVersions(a.version, b.version)),
      types,
      stopReasons: this.#names.stopReasons.list(),
      blocks: this.#names.blocks.list(),
      tools: this.#names.tools.list(),
      findings: this.#findings.list(),
    };
  }
}

/** A worker thread that handles one request after another. */
function startDoctorThread(): Examine {
  const thread = new WorkerThread<ExamineRequest, FilesReport, number>(
    () => new Worker(new URL("./doctor.worker.ts", import.meta.url), { workerData: archiveData() }),
  );
  return (request, onProgress) => thread.ask(request, onProgress);
}
