import { Share2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";
import { Remaining, Time } from "@/components/ui/time";
import { formatPlural } from "@/lib/format/format";
import type { Share } from "@/lib/wire/shares";
import { formatWithout } from "./share-link";
import { useRevokeShare, useShares } from "./use-shares";

/** The current shares: until when, how they are used, and the button to revoke each. */
export function ShareList() {
  const { data, error } = useShares();
  const { mutate: revoke, isPending } = useRevokeShare();
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
  return (
    <ul aria-label="Shared by me">
      {data.shares.map((share) => (
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
              {share.title || "Untitled session"}
            </Link>
            <span className="flex flex-wrap gap-x-3 text-fg-2 tabular-nums">
              <ShareFacts share={share} />
            </span>
          </span>
          <Button
            aria-label={`Revoke ${share.title || "Untitled session"}`}
            disabled={isPending}
            onClick={() => revoke(share)}
          >
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  );
}

function ShareFacts({
  share: { redacted, without, comments, expiresAtMs, lastUsedAtMs, readers },
}: {
  share: Share;
}) {
  return (
    <>
      <span>
        expires in <Remaining untilMs={expiresAtMs} />
      </span>
      {redacted ? <span>secrets redacted</span> : <span className="text-warn">not redacted</span>}
      {without.length > 0 && <span>{formatWithout(without)}</span>}
      {comments && <span>may comment</span>}
      {lastUsedAtMs === null ? (
        <span className="text-fg-3">not opened yet</span>
      ) : (
        <span>
          last used <Time atMs={lastUsedAtMs} />
        </span>
      )}
      {readers > 0 && <span className="text-run">{formatPlural(readers, "reader")} now</span>}
    </>
  );
}
