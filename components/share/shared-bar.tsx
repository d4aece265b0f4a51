import { Eye } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { Remaining } from "@/components/ui/time";
import { useShared } from "@/lib/client/use-health";

/** Over a session that somebody shared with the reader: what they may do, and until when. */
export function SharedBar() {
  const shared = useShared();
  if (!shared) return null;
  return (
    <section
      aria-label="Shared with you"
      className="flex items-start gap-2 border-b border-line bg-bg px-3 py-1 text-11/4 text-fg-2"
    >
      <span className="flex h-[1lh] flex-none items-center">
        <Icon of={Eye} small />
      </span>
      <span>
        Shared with you · read-only · {shared.redacted ? "secrets redacted" : "not redacted"} · ends in{" "}
        <Remaining untilMs={shared.expiresAtMs} />
      </span>
    </section>
  );
}
