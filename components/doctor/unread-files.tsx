import Link from "next/link";
import { formatBytes } from "@/lib/format/format-bytes";
import { formatPlural } from "@/lib/format/format-count";
import type { DoctorReport } from "@/lib/wire/doctor";
import { Section } from "./section";

/** Files that could not be read, and what to do about each. */
export function UnreadFiles({ files }: { files: DoctorReport["unread"] }) {
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

/** Logs that were read and are no session, each with the reason. */
export function OutsideFiles({ files }: { files: DoctorReport["outside"] }) {
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

/** Sessions of which only logs of agents are left. */
export function GoneLogs({ sessions }: { sessions: DoctorReport["gone"] }) {
  if (sessions.length === 0) return null;
  return (
    <Section title="Sessions whose own log is gone" count={sessions.length}>
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
            : {formatPlural(files, "agent’s log", "agents’ logs")} left
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
