import type { Metadata } from "next";
import { SessionPage } from "@/components/session/session-view";
import type { SessionId } from "@/lib/wire/ids";

/** The page has its own, which changes with its session. */
export const metadata: Metadata = { title: null };

/** A shell: the page fetches the session's data with its token. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <SessionPage sessionId={decodeURIComponent(id) as SessionId} />;
}
