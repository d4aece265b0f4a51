"use client";

import { type ReactNode, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { CopyButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { useIsGuest } from "@/lib/client/connection/token";
import { EXTRA_NAMES, useExtras } from "@/lib/client/queries";
import { formatBytes, formatCount, formatDuration, formatFullTime, formatPlural } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type SessionId, uuidOfSession } from "@/lib/wire/ids";
import type { SessionStorage } from "@/lib/wire/library";
import type { SessionDetail } from "@/lib/wire/session";
import { CommitList, useCommits } from "./commit-list";
import { Note, RelatedList } from "./related-list";
import { costLines, endOf, formatCounts, formatVersions, usageParts } from "./session-facts";

/** A session's facts: where and when it ran, on what, what it used, and the files it is made of. */
export function AboutDialog({
  session,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const isGuest = useIsGuest();
  return (
    <Dialog
      title="About this session"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        isGuest ? null : (
          <Link
            prefetch={false}
            className="text-accent hover:underline"
            href={`/doctor?session=${encodeURIComponent(session.id)}`}
          >
            Diagnostics
          </Link>
        )
      }
    >
      <SessionFacts session={session} isGuest={isGuest} />
      <Section title="Tokens">
        <UsageTable session={session} />
      </Section>
      <Section title="Cost">
        <CostTable session={session} />
      </Section>
      {open && <Commits session={session} />}
      {!isGuest && (
        <>
          <Section title="Related sessions">
            <RelatedList id={session.id} />
          </Section>
          <Section title="Related files">
            <ExtraList id={session.id} />
          </Section>
          <Section title={session.logs.length === 1 ? "Log" : `Logs (${formatCount(session.logs.length)})`}>
            <LogList logs={session.logs} />
          </Section>
        </>
      )}
    </Dialog>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line">
      <h3 className="bg-panel px-4 py-1 text-11 font-semibold text-fg-2">{title}</h3>
      {children}
    </section>
  );
}

/** What the session did in git; nothing where its commands say nothing of it. */
function Commits({ session: { id, revision } }: { session: SessionDetail }) {
  const { data } = useCommits(id, revision);
  if (!data || data.commits.length + data.pullRequests.length === 0) return null;
  const uuid = uuidOfSession(id) ?? id;
  return (
    <Section title="Commits and pull requests">
      <CommitList commits={data.commits} pullRequests={data.pullRequests} uuid={uuid} />
    </Section>
  );
}

/** A fact of a session, under its name. `mono`: it is a name that a machine reads. */
function Fact({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? "font-mono" : undefined}>{children}</dd>
    </>
  );
}

function SessionFacts({ session, isGuest }: { session: SessionDetail; isGuest: boolean }) {
  const { project, gitBranch, startedAtMs, models, counts, storage } = session;
  const end = endOf(session);
  const lasted = startedAtMs === null || end.atMs === null ? null : end.atMs - startedAtMs;
  return (
    <dl className="grid grid-cols-[calc(84px*var(--u))_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-2 text-12/5 tabular-nums [&>dd]:[overflow-wrap:anywhere] [&>dt]:text-fg-3">
      <dt>Title</dt>
      <dd className="font-semibold">
        <VisibleText text={shownTitle(session.title)} />
      </dd>
      <dt>Folder</dt>
      <dd className="flex items-start gap-1">
        <span className="min-w-0 font-mono">
          <VisibleText text={project.path} />
          {project.pathGuessed && <span className="font-sans text-fg-3"> guessed from the log’s folder</span>}
        </span>
        <CopyButton text={project.path} label="Copy folder" className="h-5" />
      </dd>
      {gitBranch && (
        <Fact name="Git branch" mono>
          <VisibleText text={gitBranch} />
        </Fact>
      )}
      <Fact name="Started">{startedAtMs === null ? "no time in the log" : formatFullTime(startedAtMs)}</Fact>
      <Fact name={end.label}>
        {end.atMs === null ? "no time in the log" : formatFullTime(end.atMs)}
        {lasted !== null && <span className="text-fg-3"> · {formatDuration(lasted)}</span>}
      </Fact>
      <Fact name={models.length > 1 ? "Models" : "Model"} mono>
        {models.length === 0 ? "none" : models.join(", ")}
      </Fact>
      <Fact name="Client">{formatVersions(session.versions)}</Fact>
      <Fact name="Totals">{formatCounts(counts)}</Fact>
      {/* Who was given a link has not the session's files. */}
      {!isGuest && (
        <>
          <Fact name="Storage">{STORAGE_TEXT[storage]}</Fact>
          <CommandFacts session={session} />
        </>
      )}
    </dl>
  );
}

/** The commands that bring a session's files back and go on with it, with what is in the way of that. */
function CommandFacts({ session }: { session: SessionDetail }) {
  const { resumeCommand, restoreCommand, resumeProblem } = session;
  return (
    <>
      {restoreCommand && (
        <Fact name="Restore">
          <Command text={restoreCommand} label="Copy restore command" />
        </Fact>
      )}
      {resumeCommand && (
        <Fact name="Resume">
          {resumeProblem && (
            <span>
              <span className="text-warn">
                <VisibleText text={resumeProblem.message} />.
              </span>{" "}
              <VisibleText text={resumeProblem.hint} />
            </span>
          )}
          <Command text={resumeProblem?.command ?? resumeCommand} label="Copy resume command" />
          {resumeProblem?.moveCommand && (
            <Command text={resumeProblem.moveCommand} label="Copy command for a moved folder" />
          )}
        </Fact>
      )}
    </>
  );
}

const STORAGE_TEXT: Record<SessionStorage, string> = {
  logs: "on disk, not kept in the archive",
  both: "on disk, and kept in the archive",
  archive: "deleted, and kept in the archive",
};

function Command({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-start gap-1 not-first:mt-2">
      <span className="min-w-0 font-mono">
        <VisibleText text={text} />
      </span>
      <CopyButton text={text} label={label} className="h-5" />
    </span>
  );
}

/** What was read and written, each message once, agents included. */
function UsageTable({ session }: { session: SessionDetail }) {
  const parts = usageParts(session);
  if (parts.length === 0) return <Note>The log has no token counts.</Note>;
  const most = Math.max(...parts.map(({ tokens }) => tokens));
  return (
    <dl className="px-4 py-1.5 text-12/5 tabular-nums">
      {parts.map(({ name, tokens, about }) => (
        <div
          key={name}
          title={labelHidden(about)}
          className="grid grid-cols-[calc(128px*var(--u))_minmax(0,1fr)_calc(96px*var(--u))] items-center gap-x-3"
        >
          <dt className="text-fg-2">{name}</dt>
          <dd className="order-1 text-right">{formatCount(tokens)}</dd>
          <span
            aria-hidden="true"
            className="h-1.5 min-w-0.5 bg-fg-3"
            style={{ width: `${(100 * tokens) / Math.max(1, most)}%` }}
          />
        </div>
      ))}
    </dl>
  );
}

/** What that would cost, with where each figure comes from. */
function CostTable({ session }: { session: SessionDetail }) {
  return (
    <dl className="px-4 py-1.5 text-12/5 tabular-nums">
      {costLines(session).map(({ name, amount, about }) => (
        <div
          key={name}
          // Where it is narrow, what is said of an amount stands below it.
          className="grid grid-cols-[calc(128px*var(--u))_minmax(0,1fr)_calc(96px*var(--u))] gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <dt className="text-fg-2">{name}</dt>
          <dd className="order-1 text-right">{amount}</dd>
          <dd className="text-fg-3 max-sm:order-2 max-sm:col-span-2">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN_LOGS = 20;

/** The files that the session is made of; each can be copied as a path. */
function LogList({ logs }: Pick<SessionDetail, "logs">) {
  const [all, setAll] = useState(false);
  const shown = all ? logs : logs.slice(0, SHOWN_LOGS);
  return (
    <>
      <ul aria-label="Logs" className="pb-1">
        {shown.map(({ path, bytes, records }) => (
          <li key={path} className="flex min-h-7 items-center gap-2 px-4 py-0.5 text-12">
            <span className="min-w-0 flex-1 font-mono text-code [overflow-wrap:anywhere]">
              <VisibleText text={path} />
            </span>
            <span className="flex-none text-fg-3 tabular-nums">
              {formatPlural(records, "record")} · {formatBytes(bytes)}
            </span>
            <CopyButton text={path} label={`Copy ${path}`} className="h-5" />
          </li>
        ))}
      </ul>
      {shown.length < logs.length && (
        <button
          type="button"
          className="px-4 pb-2 text-12 text-accent hover:underline"
          onClick={() => setAll(true)}
        >
          Show all {formatCount(logs.length)}
        </button>
      )}
    </>
  );
}

/** Plans, todo lists, memory and earlier file versions that the client keeps for a session in its config folder. */
function ExtraList({ id }: { id: SessionId }) {
  const { data, error } = useExtras(id);
  if (error) return <Note>{error.message}</Note>;
  if (!data) return <Note>Loading…</Note>;
  if (data.extras.length === 0) return <Note>None</Note>;
  return (
    <ul>
      {data.extras.map((extra) => (
        <li key={extra.id} className="flex h-7 items-center gap-2 px-4 text-12">
          <span className="w-24 flex-none text-fg-2">{EXTRA_NAMES[extra.kind]}</span>
          <Link
            prefetch={false}
            title={labelHidden(extra.name)}
            // Truncated at the start, since names differ at the end.
            className="min-w-0 flex-1 truncate text-left font-mono text-accent [direction:rtl] hover:underline"
            href={`/doctor?session=${encodeURIComponent(id)}&extra=${encodeURIComponent(extra.id)}`}
          >
            <bdi>{extra.name}</bdi>
          </Link>
          <span className="flex-none text-fg-3 tabular-nums">{formatBytes(extra.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}
