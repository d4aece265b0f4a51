import { VisibleText } from "@/components/content/text/visible-text";
import { Link } from "@/components/ui/link";
import { Tag } from "@/components/ui/marks";
import { formatBytes, formatCount, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { DoctorAnswer, DoctorCount, DoctorHistory, DoctorReport } from "@/lib/wire/doctor";
import { ExtraList, FindingList, Section } from "./finding-list";
import { Secrets } from "./secrets";

/** A whole report: totals, findings and tables. */
export function ReportView({ report }: { report: DoctorAnswer }) {
  const versions = report.versions.map(({ version }) => version);
  const tables = (
    <>
      <Section title="Record types" count={report.types.length}>
        <CountTable
          label="Record types by client version"
          noun="Type"
          rows={report.types}
          versions={versions}
        />
      </Section>
      <Section title="Client versions" count={versions.filter(Boolean).length}>
        <CountTable
          label="Records by client version"
          noun="Count"
          rows={[allRecords(report), allFiles(report)]}
          versions={versions}
        />
      </Section>
      <Section title="Stop reasons" count={report.stopReasons.length}>
        <CountTable
          label="Stop reasons by client version"
          noun="Reason"
          rows={report.stopReasons}
          versions={versions}
        />
      </Section>
      <Section title="Content blocks" count={report.blocks.length}>
        <CountTable
          label="Content blocks by client version"
          noun="Block"
          rows={report.blocks}
          versions={versions}
        />
      </Section>
      <Section title="Tools" count={report.tools.length}>
        <CountTable
          label="Tool calls by client version"
          noun="Tool"
          rows={report.tools}
          versions={versions}
        />
      </Section>
    </>
  );
  return (
    <div className="flex flex-col pb-6">
      <Totals report={report} />
      <UnreadFiles files={report.unread} />
      <GoneLogs sessions={report.gone} />
      <FindingList findings={report.findings} />
      <Secrets session={report.session?.id ?? null} />
      <OutsideFiles files={report.outside} />
      <Histories histories={report.histories} />
      {report.session ? <ExtraList session={report.session.id}>{tables}</ExtraList> : tables}
    </div>
  );
}

function Totals({ report }: { report: DoctorReport }) {
  const {
    session,
    sessions,
    files,
    filesOutside,
    bytes,
    lines,
    records,
    unreadable,
    salvaged,
    unknown,
    kept,
  } = report;
  const facts: [string, string, string?][] = [
    ...optional(!session, sessions === 1 ? "session" : "sessions", formatCount(sessions)),
    ...optional(
      kept.sessions > 0,
      "only kept, no longer on disk",
      session ? formatPlural(kept.files, "file") : formatCount(kept.sessions),
    ),
    [files === 1 ? "file" : "files", formatCount(files)],
    ...optional(filesOutside > 0, "outside sessions", formatCount(filesOutside)),
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

function optional(isSo: boolean, name: string, value: string): [string, string][] {
  return isSo ? [[name, value]] : [];
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

const HEAD = "border-y border-line bg-panel px-2 font-normal text-fg-3 whitespace-nowrap";

/** How often each name occurs, one column per version. Scrolls sideways when too wide; the names stay in place. */
function CountTable({
  label,
  noun,
  rows,
  versions,
}: {
  label: string;
  noun: string;
  rows: readonly DoctorCount[];
  versions: readonly string[];
}) {
  if (rows.length === 0) return <p className="px-3 text-12 text-fg-3">None.</p>;
  return (
    <div role="group" aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className="min-w-full border-separate border-spacing-0 text-12 tabular-nums">
        <thead className="text-11">
          <tr className="h-6">
            <th scope="col" className={`${HEAD} sticky left-0 pl-3 text-left`}>
              {noun}
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              All
            </th>
            {versions.map((version) => (
              <th key={version} scope="col" className={`${HEAD} text-right`}>
                {version || "No version"}
              </th>
            ))}
            <th aria-hidden="true" className={`${HEAD} w-full`} />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, known, total, byVersion }) => (
            <tr key={name} className="h-6 hover:bg-raised">
              <th
                scope="row"
                className="sticky left-0 bg-bg py-0.5 pr-4 pl-3 text-left font-mono font-normal"
              >
                <span className="flex items-center gap-2">
                  <span className="max-w-[320px] truncate max-sm:max-w-[150px]" title={labelHidden(name)}>
                    {name}
                  </span>
                  {known ? null : <Tag tone="warn">not known</Tag>}
                </span>
              </th>
              <td className="px-2 text-right">{formatCount(total)}</td>
              {versions.map((version) => (
                <td key={version} className="px-2 text-right text-fg-2">
                  {Object.hasOwn(byVersion, version) ? (
                    formatCount(byVersion[version] ?? 0)
                  ) : (
                    <span className="text-fg-3">·</span>
                  )}
                </td>
              ))}
              <td aria-hidden="true" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Files that could not be read, and what to do about each. */
function UnreadFiles({ files }: { files: DoctorReport["unread"] }) {
  if (files.length === 0) return null;
  return (
    <Section title="Files not read" count={files.length}>
      <ul className="flex flex-col gap-1 px-3 text-12 [overflow-wrap:anywhere]">
        {files.map(({ file, message, hint, bytes }) => (
          <li key={file}>
            <span className="font-mono">{file}</span>: <span className="text-err">{message}.</span>{" "}
            <span className="text-fg-2">{hint}</span>
            <Size bytes={bytes} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Logs that were read but belong to no session, each with the reason. */
function OutsideFiles({ files }: { files: DoctorReport["outside"] }) {
  if (files.length === 0) return null;
  return (
    <Section title="Logs outside sessions" count={files.length}>
      <ul className="flex flex-col gap-1 px-3 text-12 [overflow-wrap:anywhere]">
        {files.map(({ file, message, lines, records, bytes }) => (
          <li key={file}>
            <span className="font-mono">{file}</span>: {message}.{" "}
            <span className="text-fg-3 tabular-nums">
              {formatPlural(lines, "line")}, {formatPlural(records, "record")}
            </span>
            <Size bytes={bytes} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The client's own histories of prompts, with what is wrong with them. */
function Histories({ histories }: { histories: readonly DoctorHistory[] }) {
  if (histories.length === 0) return null;
  return (
    <Section title="Histories of prompts" count={histories.length}>
      <ul className="flex flex-col gap-1 px-3 text-12 [overflow-wrap:anywhere]">
        {histories.map(({ path, bytes, lines, prompts, commands, unknown, unreadable, torn, problem }) => (
          <li key={path}>
            <span className="font-mono">
              <VisibleText text={path} />
            </span>
            :{" "}
            {problem ? (
              <>
                <span className="text-err">{problem.message}.</span>{" "}
                <span className="text-fg-2">{problem.hint}</span>
              </>
            ) : (
              <>
                {formatPlural(prompts, "prompt")}
                <span className="text-fg-3 tabular-nums">
                  {" "}
                  · {formatPlural(lines, "line")}, {formatPlural(commands, "command")}
                </span>
                {unknown > 0 && (
                  <span className="text-warn tabular-nums">, {formatCount(unknown)} of unknown shape</span>
                )}
                {unreadable > 0 && (
                  <span className="text-err tabular-nums">, {formatCount(unreadable)} unreadable</span>
                )}
                {torn && <span className="text-warn">, the last line is incomplete</span>}
                <Size bytes={bytes} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Sessions whose main log is gone; only their agents' logs are left. */
function GoneLogs({ sessions }: { sessions: DoctorReport["gone"] }) {
  if (sessions.length === 0) return null;
  return (
    <Section title="Sessions without a main log" count={sessions.length}>
      <ul className="flex flex-col gap-1 px-3 text-12 [overflow-wrap:anywhere]">
        {sessions.map(({ sessionId, file, files, bytes }) => (
          <li key={sessionId}>
            <Link
              href={`/sessions/${encodeURIComponent(sessionId)}`}
              prefetch={false}
              className="font-mono text-accent hover:underline"
            >
              {file}
            </Link>
            : {formatPlural(files, "agent log")} remaining
            <Size bytes={bytes} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Size({ bytes }: { bytes: number | null }) {
  return bytes === null ? null : <span className="text-fg-3 tabular-nums"> · {formatBytes(bytes)}</span>;
}
