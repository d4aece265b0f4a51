import { Check, ChevronDown, ChevronRight, CircleAlert, Info, TriangleAlert } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { EXTRA_NAMES, useExtras, useExtraText } from "@/lib/client/queries";
import { formatBytes, formatCount, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { DoctorFinding, DoctorPlace } from "@/lib/wire/doctor";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionExtra } from "@/lib/wire/session";

const LEVELS = {
  error: { icon: CircleAlert, tone: "text-err", word: "Error" },
  warning: { icon: TriangleAlert, tone: "text-warn", word: "Warning" },
  info: { icon: Info, tone: "text-fg-3", word: "Note" },
};

/** Every rule that something breaks, with the first positions when opened. The open finding is in the URL. */
export function FindingList({ findings }: { findings: readonly DoctorFinding[] }) {
  return (
    <Section title="Findings" count={findings.length}>
      {findings.length === 0 ? (
        <p className="flex items-center gap-2 px-3 text-12 text-fg-2">
          <Icon of={Check} small className="text-run" />
          No problems found: every byte was read as a record.
        </p>
      ) : (
        <FindingItems findings={findings} />
      )}
    </Section>
  );
}

/** Findings as a list, each with its first positions below it when opened. */
export function FindingItems({ findings }: { findings: readonly DoctorFinding[] }) {
  const [{ finding: open }, setUrl] = useDoctorUrl();
  return (
    <ul className="border-t border-line">
      {findings.map((finding) => (
        <Finding
          key={finding.rule}
          finding={finding}
          open={open === finding.rule}
          onToggle={() => void setUrl({ finding: open === finding.rule ? null : finding.rule })}
        />
      ))}
    </ul>
  );
}

function Finding({
  finding,
  open,
  onToggle,
}: {
  finding: DoctorFinding;
  open: boolean;
  onToggle: () => void;
}) {
  const { icon, tone, word } = LEVELS[finding.level];
  return (
    <FoldItem
      open={open}
      onToggle={onToggle}
      line={
        <>
          <Icon of={icon} small className={`flex-none ${tone}`} />
          <span className="sr-only">{word}:</span>
          <span className="min-w-0 truncate" title={finding.title}>
            {finding.title}
          </span>
          <span
            className={`ml-auto flex-none font-semibold tabular-nums ${finding.level === "info" ? "" : tone}`}
          >
            {formatCount(finding.count)}
          </span>
          <span className="w-[84px] flex-none text-right text-fg-3 tabular-nums max-sm:hidden">
            in {formatPlural(finding.files, "file")}
          </span>
        </>
      }
    >
      <PositionTable finding={finding} />
    </FoldItem>
  );
}

/** The first positions of a finding, each a link to its record. */
function PositionTable({ finding: { title, count, places } }: { finding: DoctorFinding }) {
  return (
    <div role="group" aria-label={title} tabIndex={0} className="overflow-x-auto bg-panel">
      <table className="min-w-full text-12 tabular-nums">
        <thead className="text-11 text-fg-3">
          <tr className="h-6 text-left whitespace-nowrap *:px-2 *:font-normal">
            <th scope="col" className="pl-9! max-sm:pl-3!">
              Where
            </th>
            <th scope="col" className="text-right">
              Bytes
            </th>
            <th scope="col" className="w-full">
              What
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((position, at) => (
            <tr key={at} className="h-6 align-top whitespace-nowrap *:px-2 *:py-0.5">
              <td className="pl-9! max-sm:pl-3! font-mono">
                <PositionLink position={position} />
              </td>
              <td className="text-right text-fg-2">
                {formatCount(position.offset)}–{formatCount(position.offset + position.length)}
              </td>
              <td className="min-w-[240px] max-sm:min-w-[120px] whitespace-normal text-fg-2 [overflow-wrap:anywhere]">
                <VisibleText text={position.note} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > places.length ? (
        <p className="px-9 max-sm:px-3 pb-2 text-11 text-fg-3">
          The first {formatCount(places.length)} of {formatCount(count)}.
        </p>
      ) : null}
    </div>
  );
}

function PositionLink({ position: { sessionId, recordId, file, line } }: { position: DoctorPlace }) {
  const name = `${shortName(file)}:${line}`;
  if (sessionId === null) return <span title={labelHidden(file)}>{name}</span>;
  // A record id alone leads to the right agent. Bytes without a record id are at the end of the file.
  const query = new URLSearchParams({
    detail: "everything",
    ...(recordId === null ? { follow: "1" } : { at: recordId }),
  });
  return (
    <Link
      href={`/sessions/${encodeURIComponent(sessionId)}?${query}`}
      prefetch={false}
      title={labelHidden(file)}
      className="text-accent hover:underline"
    >
      {name}
    </Link>
  );
}

/** A file name with its UUID cut to the first part: `26181f80….jsonl`. */
function shortName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}/, "$1…");
}

/** What else the client keeps for the session: plans, todos, backups. Each opens inline. */
export function ExtraList({ session, children }: { session: SessionId; children: ReactNode }) {
  const [{ extra: open }, setUrl] = useDoctorUrl();
  const { data, isPending } = useExtras(session);
  if (isPending) return null;
  if (!data || data.extras.length === 0) return children;
  return (
    <>
      <Section title="Related files" count={data.extras.length}>
        <ul className="border-t border-line">
          {data.extras.map((extra) => (
            <Extra
              key={extra.id}
              session={session}
              extra={extra}
              open={open === extra.id}
              onToggle={() => void setUrl({ extra: open === extra.id ? null : extra.id })}
            />
          ))}
        </ul>
      </Section>
      {children}
    </>
  );
}

function Extra({
  session,
  extra,
  open,
  onToggle,
}: {
  session: SessionId;
  extra: SessionExtra;
  open: boolean;
  onToggle: () => void;
}) {
  return (
    <FoldItem
      open={open}
      onToggle={onToggle}
      line={
        <>
          <span className="w-[130px] flex-none text-fg-2">{EXTRA_NAMES[extra.kind]}</span>
          <span className="min-w-0 flex-1 truncate font-mono" title={labelHidden(extra.name)}>
            {extra.name}
          </span>
          <span className="flex-none text-fg-3 tabular-nums">{formatBytes(extra.bytes)}</span>
        </>
      }
    >
      <ExtraBody session={session} id={extra.id} />
    </FoldItem>
  );
}

function ExtraBody({ session, id }: { session: SessionId; id: string }) {
  const { data, error } = useExtraText(session, id);
  if (error) return <p className="px-9 py-2 text-12 text-err">{error.message}</p>;
  if (!data) return null;
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={labelHidden(data.name)}
      className="max-h-[50vh] overflow-auto bg-panel px-9 py-2"
    >
      <pre className="font-mono text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={data.text.text} />
      </pre>
      {data.text.cut ? (
        <p className="text-11 text-fg-3">The first megabyte of {formatBytes(data.text.length)}.</p>
      ) : null}
    </div>
  );
}

/** A section of the report with its heading. */
export function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h2 className="flex h-tool items-center gap-2 px-3 font-semibold">
        {title}
        {count === undefined ? null : (
          <span className="text-11 font-normal text-fg-3 tabular-nums">{formatCount(count)}</span>
        )}
      </h2>
      {children}
    </section>
  );
}

/** A list item that opens below its line. `line` holds the cells of that line, in order. */
function FoldItem({
  line,
  open,
  onToggle,
  children,
}: {
  line: ReactNode;
  open: boolean;
  onToggle: () => void;
  /** Rendered only while open. */
  children: ReactNode;
}) {
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="block h-row w-full px-3 text-left text-12 -outline-offset-2! hover:bg-raised"
      >
        {/* However wide the page is, a line's figures stand where the eye still finds them from its name. */}
        <span className="flex h-full max-w-[760px] min-w-0 items-center gap-2">
          <Icon of={open ? ChevronDown : ChevronRight} small className="flex-none text-fg-3" />
          {line}
        </span>
      </button>
      {open ? children : null}
    </li>
  );
}

/** The URL state of the page: one session or all, and which finding and extra are open. */
export function useDoctorUrl() {
  return useQueryStates(
    { session: parseAsString, finding: parseAsString, extra: parseAsString },
    { history: "replace" },
  );
}
