import { formatBytes } from "@/lib/format/format-bytes";
import { formatCount } from "@/lib/format/format-count";
import type { DoctorReport } from "@/lib/wire/doctor";
import { CountTable } from "./count-table";
import { ExtraList } from "./extra-list";
import { FindingList } from "./finding-list";
import { Section } from "./section";
import { GoneLogs, OutsideFiles, UnreadFiles } from "./unread-files";

/** A report: totals, what is wrong, and the tables. */
export function ReportView({ report }: { report: DoctorReport }) {
  const versions = report.versions.map(({ version }) => version);
  return (
    <div className="flex flex-col pb-6">
      <Totals report={report} />
      <UnreadFiles files={report.unread} />
      <GoneLogs sessions={report.gone} />
      <FindingList findings={report.findings} />
      <OutsideFiles files={report.outside} />
      {report.session ? <ExtraList session={report.session.id} /> : null}
      <Section title="Record types" count={report.types.length}>
        <CountTable
          label="Record types by client version"
          noun="type"
          rows={report.types}
          versions={versions}
        />
      </Section>
      <Section title="Client versions" count={versions.filter(Boolean).length}>
        <CountTable
          label="Records by client version"
          noun="count"
          rows={[allRecords(report), allFiles(report)]}
          versions={versions}
        />
      </Section>
      <Section title="Stop reasons" count={report.stopReasons.length}>
        <CountTable
          label="Stop reasons by client version"
          noun="reason"
          rows={report.stopReasons}
          versions={versions}
        />
      </Section>
      <Section title="Content blocks" count={report.blocks.length}>
        <CountTable
          label="Content blocks by client version"
          noun="block"
          rows={report.blocks}
          versions={versions}
        />
      </Section>
      <Section title="Tools" count={report.tools.length}>
        <CountTable
          label="Tool calls by client version"
          noun="tool"
          rows={report.tools}
          versions={versions}
        />
      </Section>
    </div>
  );
}

function Totals({ report }: { report: DoctorReport }) {
  const { session, sessions, files, filesOutside, bytes, lines, records, unreadable, salvaged, unknown } =
    report;
  const facts: [string, string, string?][] = [
    ...(session
      ? []
      : ([[sessions === 1 ? "session" : "sessions", formatCount(sessions)]] as [string, string][])),
    [files === 1 ? "file" : "files", formatCount(files)],
    ...(filesOutside > 0 ? ([["outside sessions", formatCount(filesOutside)]] as [string, string][]) : []),
    ["read", formatBytes(bytes)],
    [lines === 1 ? "line" : "lines", formatCount(lines)],
    [records === 1 ? "record" : "records", formatCount(records)],
    ["unreadable", formatCount(unreadable), unreadable > 0 ? "text-err" : ""],
    ["salvaged", formatCount(salvaged), salvaged > 0 ? "text-warn" : ""],
    ["of unknown type", formatCount(unknown), unknown > 0 ? "text-warn" : ""],
  ];
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line px-3 py-2.5 text-12">
      {facts.map(([name, value, tone]) => (
        <div key={name} className="flex flex-row-reverse items-baseline gap-1.5">
          <dt className="text-fg-3">{name}</dt>
          <dd className={`font-semibold tabular-nums ${tone ?? ""}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function allRecords({ versions, records }: DoctorReport) {
  return {
    name: "records",
    known: true,
    total: records,
    byVersion: Object.fromEntries(versions.map((one) => [one.version, one.records])),
  };
}

function allFiles({ versions, files }: DoctorReport) {
  return {
    name: "files",
    known: true,
    total: files,
    byVersion: Object.fromEntries(versions.map((one) => [one.version, one.files])),
  };
}
