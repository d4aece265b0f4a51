import { useEffect, useRef } from "react";
import { PageLink } from "@/components/ui/page-link";
import { isUnderWay } from "@/lib/client/is-live";
import type { SessionSummary } from "@/lib/wire/library";

/**
 * The title, which is the link; its hit area is the whole row. `tabStop`: the one
 * row that Tab stops at. `focused`: it shall take the focus, as the keys have just moved to it.
 */
export function SessionLink({
  session,
  tabStop,
  focused,
}: {
  session: SessionSummary;
  tabStop: boolean;
  focused: boolean;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (focused) link.current?.focus({ preventScroll: true });
  }, [focused]);
  const untitled = session.titleSource === "none";
  return (
    <PageLink
      ref={link}
      href={`/sessions/${encodeURIComponent(session.id)}`}
      tabIndex={tabStop ? 0 : -1}
      title={session.firstPrompt ?? session.title}
      className={`outline-none before:absolute before:inset-0 before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-accent ${
        untitled ? "text-fg-2" : ""
      } ${isUnderWay(session) ? "font-semibold" : ""}`}
    >
      {session.title}
    </PageLink>
  );
}
