import type { RecordAt } from "@/lib/log/records/session-record";
import type { DoctorPlace } from "@/lib/wire/doctor";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { Links } from "./links";
import type { Rule } from "./rules";
import { FindingTally, NameTally } from "./tally";

/** A file to examine. `name` is relative to the project's folder, `key` the first half of its record ids. */
export type ExamineFile = { path: string; name: string; key: string; isAgent: boolean };

/** What the checks of a session's files add to: tallies, links between records, findings with their places. */
export class Examination {
  readonly types = new NameTally();
  readonly stopReasons = new NameTally();
  readonly blocks = new NameTally();
  readonly tools = new NameTally();
  readonly links = new Links();
  readonly findings = new FindingTally();
  readonly versions = new Map<string, { version: string; records: number; files: number }>();
  readonly #sessionId: SessionId | null;
  readonly #files: readonly ExamineFile[];
  readonly #versionsOfFile = new Set<string>();
  #file = -1;

  /** @param sessionId `null` for a file that belongs to no session: its records have no ids */
  constructor(sessionId: SessionId | null, files: readonly ExamineFile[]) {
    this.#sessionId = sessionId;
    this.#files = files;
  }

  /** What is found from now on stands in this file. */
  enter(file: number): void {
    this.#file = file;
    this.#versionsOfFile.clear();
  }

  find(rule: Rule, at: RecordAt, note: string): void {
    this.findings.add(rule, this.#place(this.#file, at, note));
  }

  /** `find`, of bytes that are no record yet: no link can lead to one. */
  findBytes(rule: Rule, at: RecordAt, note: string): void {
    this.findings.add(rule, { ...this.#place(this.#file, at, note), recordId: null });
  }

  countVersion(version: string): void {
    const count = this.versions.get(version) ?? { version, records: 0, files: 0 };
    this.versions.set(version, count);
    count.records += 1;
    if (!this.#versionsOfFile.has(version)) count.files += 1;
    this.#versionsOfFile.add(version);
  }

  /** Adds what only shows once every record has been seen. */
  judgeLinks(): void {
    this.links.judge((rule, { file, ...at }, note) => this.findings.add(rule, this.#place(file, at, note)));
  }

  #place(file: number, { offset, length, line }: RecordAt, note: string): DoctorPlace {
    const { name = "", key = "" } = this.#files[file] ?? {};
    const recordId = this.#sessionId === null ? null : (`${key}~${offset.toString(36)}` as RecordId);
    return { sessionId: this.#sessionId, file: name, line, offset, length, recordId, note };
  }
}
