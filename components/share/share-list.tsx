import { Share2 } from "lucide-react";
import { useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";
import { Remaining, Time } from "@/components/ui/time";
import { formatCount, formatPlural } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { Share } from "@/lib/wire/shares";
import { formatWithout } from "./share-link";
import { useRevokeShares, useShares } from "./use-shares";

/** The current shares: until when, how they are used, and the buttons to revoke each, or all of several. */
export function ShareList() {
  const { data, error } = useShares();
  const { mutate: revoke, isPending } = useRevokeShares();
  if (!data)
    return (
      <p role="status" className="p-4 text-fg-3">
        {error ? error.message : "Looking for links…"}
      </p>
    );
  if (data.shares.length === 0)
    return (
      <EmptyState icon={Share2} title="Nothing is shared">
        A session that you share with another person is listed here until its link expires, so that you can
        see whether it is read, and take it back.
      </EmptyState>
    );
  const { shares } = data;
  return (
    <>
      <ul aria-label="Shared by me">
        {shares.map((share) => (
          <li
            key={share.id}
            className="flex items-center gap-3 border-b border-line px-4 py-2 text-12 last:border-b-0"
          >
            <span className="min-w-0 flex-1">
              <Link
                href={`/sessions/${encodeURIComponent(share.sessionId)}`}
                prefetch={false}
                className="block truncate font-semibold hover:underline"
              >
                <VisibleText text={shownTitle(share.title)} />
              </Link>
              <span className="flex flex-wrap gap-x-3 text-fg-2 tabular-nums">
                <ShareFacts share={share} />
              </span>
            </span>
            <Button
              aria-label={labelHidden(`Revoke ${shownTitle(share.title)}`)}
              disabled={isPending}
              onClick={() => revoke([share])}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {shares.length > 1 && (
        <RevokeAll count={shares.length} isPending={isPending} onRevoke={() => revoke(shares)} />
      )}
    </>
  );
}

/** Revokes everything at the second press: a link that has ended cannot be had back. */
function RevokeAll({
  count,
  isPending,
  onRevoke,
}: {
  count: number;
  isPending: boolean;
  onRevoke: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="flex items-center justify-end gap-2 border-t border-line px-4 py-2 text-12">
      {isAsking && (
        <>
          <span className="min-w-0 flex-1 text-warn">Nobody will be able to read by these links.</span>
          <Button onClick={() => setAsking(false)}>Cancel</Button>
        </>
      )}
      {/* The same button, so that it keeps the focus. */}
      <Button disabled={isPending} onClick={() => (isAsking ? onRevoke() : setAsking(true))}>
        {isAsking ? "Revoke" : "Revoke all"} {formatPlural(count, "link")}
      </Button>
    </div>
  );
}

/** What goes before the time of the last opening; the count may not be known. */
function formatOpenings(openings: number | null): string {
  if (openings === null) return "last opened";
  return openings === 1 ? "opened once" : `opened ${formatCount(openings)} times, last`;
}

/** A reading this much longer than its opening is told by a time of its own. */
const MIN_READING_MS = 60_000;

function ShareFacts({
  share: {
    redacted,
    without,
    comments,
    createdAtMs,
    expiresAtMs,
    openings,
    lastOpenedAtMs,
    lastUsedAtMs,
    readers,
  },
}: {
  share: Share;
}) {
  return (
    <>
      {/* What tells two links to one session apart. */}
      <span>
        made <Time atMs={createdAtMs} />
      </span>
      <span>
        expires in <Remaining untilMs={expiresAtMs} />
      </span>
      {redacted ? <span>secrets redacted</span> : <span className="text-warn">not redacted</span>}
      {without.length > 0 && <span>{formatWithout(without)}</span>}
      {comments && <span>may comment</span>}
      {openings === 0 && <span className="text-fg-3">not opened yet</span>}
      {lastOpenedAtMs !== null && (
        <span>
          {formatOpenings(openings)} <Time atMs={lastOpenedAtMs} />
        </span>
      )}
      {lastUsedAtMs !== null && readers === 0 && lastUsedAtMs - (lastOpenedAtMs ?? 0) > MIN_READING_MS && (
        <span>
          last read <Time atMs={lastUsedAtMs} />
        </span>
      )}
      {readers > 0 && <span className="text-run">{formatPlural(readers, "reader")} now</span>}
    </>
  );
}
