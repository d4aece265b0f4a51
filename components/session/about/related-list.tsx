import Link from "next/link";
import { totalTokens } from "@/lib/client/total-tokens";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import type { SessionId } from "@/lib/wire/ids";
import type { RelatedSession, Relation } from "@/lib/wire/related";
import { Note } from "./note";
import { useRelated } from "./use-related";

const WORDS: Record<Relation, string> = {
  "forked-from": "Copied from",
  fork: "Copied to",
  "shares-history": "Starts like",
  continues: "Goes on from",
  "continued-in": "Goes on in",
};

/** The sessions that this one was copied from or to, or that go on where it ends. */
export function RelatedList({ id }: { id: SessionId }) {
  const { data, error } = useRelated(id);
  if (error) return <Note>{error.message}</Note>;
  if (!data) return <Note>Looking…</Note>;
  if (data.related.length === 0) return <Note>No other session shares its records.</Note>;
  return (
    <ul>
      {data.related.map((related) => (
        <li key={related.id} className="flex h-8 items-center gap-2 px-4 text-12">
          <span className="w-24 flex-none text-fg-2">{WORDS[related.relation]}</span>
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

/** How much both hold, in records and tokens; leads to the last of it in this session. */
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
