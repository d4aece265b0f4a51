import type { RecordAt } from "@/lib/log/records/session-record";
import type { DoctorCount, DoctorFinding, DoctorPlace } from "@/lib/wire/doctor";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import { DOCTOR_RULES, type DoctorRule, Links } from "./links";

/** A file to examine. `name` is relative to the project's folder, `key` the first half of its record ids. */
export type ExamineFile = { path: string; name: string; key: string; isAgent: boolean };

/** What the checks of a session's files collect: tallies, links between records, findings with their positions. */
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

  /** Findings from now on are in this file. */
  enter(file: number): void {
    this.#file = file;
    this.#versionsOfFile.clear();
  }

  /** Adds a finding about a record of the file that was entered. */
  find(rule: DoctorRule, at: RecordAt, note: string): void {
    this.findings.add(rule, this.#position(this.#file, at, note));
  }

  /** Like `find`, for bytes that are not a record: they have no link. */
  findBytes(rule: DoctorRule, at: RecordAt, note: string): void {
    this.findings.add(rule, { ...this.#position(this.#file, at, note), recordId: null });
  }

  /** Counts a record of a client version, and its file once for each version. */
  countVersion(version: string): void {
    const count = this.versions.get(version) ?? { version, records: 0, files: 0 };
    this.versions.set(version, count);
    count.records += 1;
    if (!this.#versionsOfFile.has(version)) count.files += 1;
    this.#versionsOfFile.add(version);
  }

  /** Adds the findings that depend on all records. */
  reportLinks(): void {
    this.links.report((rule, { file, ...at }, note) =>
      this.findings.add(rule, this.#position(file, at, note)),
    );
  }

  #position(file: number, { offset, length, line }: RecordAt, note: string): DoctorPlace {
    const { name = "", key = "" } = this.#files[file] ?? {};
    const recordId = this.#sessionId === null ? null : formatRecordId(key, offset);
    return { sessionId: this.#sessionId, file: name, line, offset, length, recordId, note };
  }
}

/** Maximum number of positions kept per finding, in one session and in a whole report. */
const MAX_POSITIONS = 20;

/** Counts names, in total and by version. */
export class NameTally {
  readonly #counts = new Map<string, DoctorCount>();

  add(name: string, version: string, known = true, times = 1): void {
    let count = this.#counts.get(name);
    if (!count)
      this.#counts.set(
        name,
        (count = { name, known, total: 0, byVersion: Object.create(null) as DoctorCount["byVersion"] }),
      );
    count.total += times;
    count.byVersion[version] = (count.byVersion[version] ?? 0) + times;
  }

  merge(counts: readonly DoctorCount[]): void {
    for (const { name, known, byVersion } of counts) {
      for (const [version, times] of Object.entries(byVersion)) this.add(name, version, known, times);
    }
  }

  /** The most frequent first. */
  list(): DoctorCount[] {
    return [...this.#counts.values()].sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
  }
}

/** Collects findings: all are counted, the first ones are kept with their positions. */
export class FindingTally {
  readonly #findings = new Map<DoctorRule, DoctorFinding & { inFiles: Set<string> }>();

  add(rule: DoctorRule, place: DoctorPlace): void {
    const finding = this.#finding(rule);
    finding.count += 1;
    finding.inFiles.add(`${place.sessionId} ${place.file}`);
    if (finding.places.length < MAX_POSITIONS) finding.places.push(place);
  }

  /** Adds what another tally lists, of other files: a file in both would count twice. */
  merge(findings: readonly DoctorFinding[]): void {
    for (const found of findings) {
      const finding = this.#finding(found.rule as DoctorRule);
      finding.count += found.count;
      finding.files += found.files;
      finding.places.push(...found.places.slice(0, MAX_POSITIONS - finding.places.length));
    }
  }

  /** In the order of `DOCTOR_RULES`. */
  list(): DoctorFinding[] {
    const found = (Object.keys(DOCTOR_RULES) as DoctorRule[]).flatMap(
      (rule) => this.#findings.get(rule) ?? [],
    );
    return found.map(({ inFiles, files, ...finding }) => ({ ...finding, files: files + inFiles.size }));
  }

  #finding(rule: DoctorRule) {
    const known = this.#findings.get(rule);
    if (known) return known;
    const [level, title] = DOCTOR_RULES[rule];
    const finding = { rule, level, title, count: 0, files: 0, places: [], inFiles: new Set<string>() };
    this.#findings.set(rule, finding);
    return finding;
  }
}
