import { Eye } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { Remaining } from "@/components/ui/time";
import { useShared } from "@/lib/client/use-health";
import { GuestName } from "./guest-name";
import { formatWithout } from "./share-link";

/** Above a session that somebody shared with the reader: what they may do, until when, and their name. */
export function SharedBar() {
  const shared = useShared();
  if (!shared) return null;
  return (
    <section
      aria-label="Shared with you"
      data-keeps-following=""
      className="flex items-start gap-2 border-b border-line bg-bg px-3 py-1 text-11/4 text-fg-2"
    >
      <span className="flex h-[1lh] flex-none items-center">
        <Icon of={Eye} small />
      </span>
      <span className="min-w-0 flex-1">
        Shared with you · {shared.comments ? "read and comment" : "read-only"} ·{" "}
        {shared.redacted ? "secrets redacted" : "not redacted"} ·{" "}
        {shared.without.length > 0 && `${formatWithout(shared.without)} · `}
        <span className="whitespace-nowrap">
          ends in <Remaining untilMs={shared.expiresAtMs} />
        </span>
      </span>
      <GuestName />
    </section>
  );
}
