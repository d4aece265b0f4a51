import type { DoctorReport } from "@/lib/wire/doctor";
import type { FilesReport } from "./examine";
import { FindingTally, NameTally } from "./tally";

/** Adds up the reports of many files. */
export class ReportSum {
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

  /** `inSession` is false for a file that belongs to none. */
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

  /** Names what was not even opened. */
  addUnread(unread: DoctorReport["unread"]): void {
    this.#unread.push(...unread);
  }

  toReport(session: DoctorReport["session"], gone: DoctorReport["gone"]): DoctorReport {
    const types = this.#names.types.list();
    return {
      session,
      ...this.#sums,
      unknown: types.reduce((sum, type) => sum + (type.known ? 0 : type.total), 0),
      unread: this.#unread,
      outside: this.#outside,
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

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
