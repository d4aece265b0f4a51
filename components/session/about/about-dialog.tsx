"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { api, readApiError } from "@/lib/client/api";
import { currentToken } from "@/lib/client/token";
import { totalTokens } from "@/lib/client/total-tokens";
import { useExtras } from "@/lib/client/use-extras";
import { formatBytes, formatCompact, formatPlural } from "@/lib/format/format";
import { EXPORT_FORMAT_IDS, EXPORT_FORMATS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import type { ExtraKind, RelatedSession, Relation, SessionDetail } from "@/lib/wire/session";

/** What belongs to a session besides its thread: related sessions, files kept for it, and exports. */
export function AboutDialog({
  session,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      title="About this session"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <Link
          prefetch={false}
          className="text-accent hover:underline"
          href={`/doctor?session=${encodeURIComponent(session.id)}`}
        >
          Diagnostics
        </Link>
      }
    >
      <Section title="Related sessions">
        <RelatedList id={session.id} />
      </Section>
      <Section title="Related files">
        <ExtraList id={session.id} />
      </Section>
      <Section title="Export">
        <ExportList id={session.id} />
      </Section>
    </Dialog>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line last:border-b-0">
      <h3 className="bg-panel px-4 py-1 text-11 font-semibold text-fg-2">{title}</h3>
      {children}
    </section>
  );
}

/** Download links. Exports are complete, including any secrets: whoever gets one should be allowed to see them. */
function ExportList({ id }: { id: SessionId }) {
  const download = (format: ExportFormat) =>
    downloadExport(id, format).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : "The download failed", "err"),
    );
  return (
    <ul>
      {EXPORT_FORMAT_IDS.map((format) => {
        const { name, about } = EXPORT_FORMATS[format];
        return (
          <li key={format} className="flex h-8 items-center gap-2 px-4 text-12">
            <span className="w-24 flex-none">{name}</span>
            <span className="min-w-0 flex-1 truncate text-fg-2">{about}</span>
            <Button aria-label={`Download ${name}`} onClick={() => download(format)}>
              Download
            </Button>
          </li>
        );
      })}
      <li className="px-4 pb-2 text-11 text-fg-3">
        Exports are not redacted. Check for secrets before you share one.
      </li>
    </ul>
  );
}

/**
 * Downloads a session. The browser's own download can't send the token, so it carries a ticket that is valid once, for
 * this URL, for a minute. Throws `ApiError`.
 */
async function downloadExport(id: SessionId, format: ExportFormat): Promise<void> {
  const path = `/api/sessions/${encodeURIComponent(id)}/export?format=${format}`;
  const response = await fetch("/api/tickets", {
    method: "POST",
    headers: { Authorization: `Bearer ${currentToken() ?? ""}`, "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
  });
  if (!response.ok) throw await readApiError(response);
  const { ticket } = (await response.json()) as { ticket: string };
  window.location.assign(`${path}&ticket=${ticket}`);
}

const LABELS: Record<ExtraKind, string> = {
  plan: "Plan",
  todos: "To-do list",
  task: "Task",
  memory: "Memory",
  history: "Typed prompts",
  "file-history": "File backup",
};

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
          <span className="w-24 flex-none text-fg-2">{LABELS[extra.kind]}</span>
          <Link
            prefetch={false}
            className="min-w-0 flex-1 truncate font-mono text-accent hover:underline"
            href={`/doctor?session=${encodeURIComponent(id)}&extra=${encodeURIComponent(extra.id)}`}
          >
            {extra.name}
          </Link>
          <span className="flex-none text-fg-3 tabular-nums">{formatBytes(extra.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

const RELATION_TEXT: Record<Relation, string> = {
  "forked-from": "Forked from",
  fork: "Forked to",
  "shares-history": "Shares history with",
  continues: "Continues",
  "continued-in": "Continued in",
};

/** Sessions that this one was copied from or to, or that continue where it ends. */
function RelatedList({ id }: { id: SessionId }) {
  const { data, error } = useRelated(id);
  if (error) return <Note>{error.message}</Note>;
  if (!data) return <Note>Loading…</Note>;
  if (data.related.length === 0) return <Note>None</Note>;
  return (
    <ul>
      {data.related.map((related) => (
        <li key={related.id} className="flex h-8 items-center gap-2 px-4 text-12">
          <span className="w-24 flex-none text-fg-2">{RELATION_TEXT[related.relation]}</span>
          <Link
            prefetch={false}
            className="min-w-0 flex-1 truncate text-accent hover:underline"
            href={`/sessions/${encodeURIComponent(related.id)}`}
          >
            {related.title}
          </Link>
          <SharedUntil id={id} related={related} />
        </li>
      ))}
    </ul>
  );
}

/** How many records and tokens two sessions share, with a link to the last shared record in this one. */
function SharedUntil({ id, related }: { id: SessionId; related: RelatedSession }) {
  if (related.lastSharedRecordId === null) return null;
  const tokens = related.shared ? totalTokens(related.shared.usage) : 0;
  const at = encodeURIComponent(related.lastSharedRecordId);
  return (
    <Link
      prefetch={false}
      className="flex-none text-fg-3 tabular-nums hover:text-fg hover:underline"
      href={`/sessions/${encodeURIComponent(id)}?at=${at}&detail=everything`}
    >
      {formatPlural(related.sharedRecords, "shared record")}
      {tokens > 0 && ` · ${formatCompact(tokens)} tok`}
    </Link>
  );
}

/** A message in place of a list. */
function Note({ children }: { children: ReactNode }) {
  return <p className="px-4 py-2 text-12 text-fg-3">{children}</p>;
}

/** The sessions that share history with this one. */
function useRelated(id: SessionId) {
  return useQuery({
    queryKey: ["related", id],
    queryFn: ({ signal }) => api.related(id, { signal }),
    staleTime: 60_000,
  });
}
