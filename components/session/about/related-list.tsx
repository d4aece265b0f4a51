import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { useRelated } from "@/lib/client/queries";
import { formatCompact, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionId } from "@/lib/wire/ids";
import { totalTokens } from "@/lib/wire/library";
import type { RelatedSession, Relation } from "@/lib/wire/session";

/** A newer server than this page may have others. */
const RELATION_TEXT: Record<Relation, string> = {
  "forked-from": "Forked from",
  fork: "Forked to",
  "shares-history": "Shares history with",
  continues: "Continues",
  "continued-in": "Continued in",
};

/** Sessions that this one was copied from or to, or that continue where it ends. */
export function RelatedList({ id }: { id: SessionId }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRelated(id);
  if (error && !data) return <Note>{error.message}</Note>;
  if (!data) return <Note>Loading…</Note>;
  if (data.length === 0) return <Note>None</Note>;
  return (
    <ul>
      {data.map((related) => (
        <li key={related.id} className="flex h-8 items-center gap-2 px-4 text-12">
          <span className="w-24 flex-none text-fg-2">
            {RELATION_TEXT[related.relation] ?? related.relation}
          </span>
          <Link
            prefetch={false}
            className="min-w-0 flex-1 truncate text-accent hover:underline"
            title={labelHidden(related.title)}
            href={`/sessions/${encodeURIComponent(related.id)}`}
          >
            <VisibleText text={related.title} />
          </Link>
          <SharedUntil id={id} related={related} />
          <Link
            prefetch={false}
            className="flex-none text-fg-3 hover:text-fg hover:underline"
            href={`/sessions/${encodeURIComponent(id)}?view=compare&right=${encodeURIComponent(related.id)}`}
          >
            Compare
          </Link>
        </li>
      ))}
      {hasNextPage && (
        <li className="px-4 py-1">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
          {error && (
            <span role="status" className="ml-2 text-12 text-err">
              {error.message}
            </span>
          )}
        </li>
      )}
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
export function Note({ children }: { children: ReactNode }) {
  return <p className="px-4 py-2 text-12 text-fg-3">{children}</p>;
}
