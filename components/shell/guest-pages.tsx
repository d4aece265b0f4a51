import { Link2Off, Share2 } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { PlainLink } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";
import { sessionOfPath } from "@/lib/client/address/session-url";
import { hasOwnerToken, leaveShare } from "@/lib/client/connection/token";
import { useHealth, useShared } from "@/lib/client/use-health";

/** The pages of a tab with a share's token: the shared session, and for every other page what there is instead. */
export function GuestPages({ children }: { children: ReactNode }) {
  const sessionId = sessionOfPath(usePathname());
  const shared = useShared();
  const { error } = useHealth();
  // Not known yet: the server answers nothing about another session.
  const sharedId = shared?.sessionId ?? null;
  if (sessionId !== null && (sharedId === null || sharedId === sessionId)) return children;
  if (shared === null && error === null) return null;
  return (
    <main className="h-full">
      <title>A shared session · Backscroll</title>
      <h1 className="sr-only">Backscroll</h1>
      <EmptyState
        icon={Share2}
        title="One session was shared with you"
        actions={
          <>
            {sharedId !== null && (
              // Not the router's link: the page of that session begins anew.
              <PlainLink
                className="inline-flex h-control items-center rounded-2 border border-accent bg-accent px-2 text-12 font-semibold text-on-accent hover:bg-accent-hover active:bg-accent-active"
                href={`/sessions/${encodeURIComponent(sharedId)}`}
              >
                Open the shared session
              </PlainLink>
            )}
            <OwnSessions />
          </>
        }
      >
        {shared ? "Your link opens that session and its agents, and no other page." : error?.message}
      </EmptyState>
    </main>
  );
}

/** In place of any page once the server refuses a share's token. */
export function ShareEnded() {
  return (
    <main className="h-full">
      <title>This link has ended · Backscroll</title>
      <h1 className="sr-only">Backscroll</h1>
      <div role="alert" className="h-full">
        <EmptyState icon={Link2Off} title="This link has ended" actions={<OwnSessions />}>
          It has expired, or the person who sent it has taken it back. Ask them for a new one to read on.
        </EmptyState>
      </div>
    </main>
  );
}

/** The way back for who opened a share on a machine whose sessions are his own. */
function OwnSessions() {
  return hasOwnerToken() ? <Button onClick={leaveShare}>Open my own sessions</Button> : null;
}
