import type { DoctorReport } from "@/lib/wire/doctor";
import type { FilesReport } from "./examine";
import { FindingTally, NameTally } from "./tally";

/** `inSession` is false for a file that belongs to none. */
type Part = { report: FilesReport; inSession: boolean };

/** The reports of many files as one. */
export function sumReports(parts: readonly Part[], session: DoctorReport["session"]): DoctorReport {
  const names = {
    types: new NameTally(),
    stopReasons: new NameTally(),
    blocks: new NameTally(),
    tools: new NameTally(),
  };
  const findings = new FindingTally();
  const versions = new Map<string, DoctorReport["versions"][number]>();
  const sums = {
    sessions: 0,
    files: 0,
    bytes: 0,
    filesOutside: 0,
    lines: 0,
    records: 0,
    unreadable: 0,
    salvaged: 0,
  };
  const unread: DoctorReport["unread"] = [];
  for (const { report, inSession } of parts) {
    sums.sessions += inSession ? 1 : 0;
    sums.filesOutside += inSession ? 0 : report.files;
    for (const name of ["files", "bytes", "lines", "records", "unreadable", "salvaged"] as const)
      sums[name] += report[name];
    names.types.merge(report.types);
    names.stopReasons.merge(report.stopReasons);
    names.blocks.merge(report.blocks);
    names.tools.merge(report.tools);
    findings.merge(report.findings);
    unread.push(...report.unread);
    for (const { version, records, files } of report.versions) {
      const known = versions.get(version) ?? { version, records: 0, files: 0 };
      versions.set(version, { version, records: known.records + records, files: known.files + files });
    }
  }
  const types = names.types.list();
  return {
    session,
    ...sums,
    unknown: types.reduce((sum, type) => sum + (type.known ? 0 : type.total), 0),
    unread,
    versions: [...versions.values()].sort((a, b) => compareVersions(a.version, b.version)),
    types,
    stopReasons: names.stopReasons.list(),
    blocks: names.blocks.list(),
    tools: names.tools.list(),
    findings: findings.list(),
  };
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
