import { SessionPage } from "@/components/session/session-view";
import type { SessionId } from "@/lib/wire/ids";

/** A shell: the page fetches the session's data with its token. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <SessionPage sessionId={decodeURIComponent(id) as SessionId} />;
}
