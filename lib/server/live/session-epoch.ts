import { closeSync } from "node:fs";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { type Identity, identify } from "@/lib/server/scan/file-identity";
import type { OpenSession } from "../session/open-session";

/**
 * How far a session's files have been read: `epoch:offset` on the wire. The epoch is the main log's identity
 * and what stands before the offset, so a log that was truncated, replaced or regrown is another one.
 */
export type SessionPlace = { identity: Identity; mainBytes: number; agentBytes: number };

/** Where the last whole lines of a session end. Throws what `openConfinedSync` throws. */
export function placeOf({ files, places }: OpenSession): SessionPlace {
  const [mainBytes = 0, ...agents] = places.ends();
  const agentBytes = agents.reduce((sum, end) => sum + end, 0);
  return { identity: identityAt(files, mainBytes), mainBytes, agentBytes };
}

/** True when `later` is the same files, grown or not. Reads the log once more at the earlier offset. */
export function isSameEpoch(earlier: SessionPlace, later: SessionPlace, session: OpenSession): boolean {
  if (later.mainBytes < earlier.mainBytes || later.agentBytes < earlier.agentBytes) return false;
  const { files } = session;
  return marksOf(identityAt(files, earlier.mainBytes)) === marksOf(earlier.identity);
}

/** `epoch:offset`. */
export function formatPlace(place: SessionPlace): string {
  return `${marksOf(place.identity)}:${place.mainBytes}.${place.agentBytes}`;
}

/** Whether what an id tells is the beginning of what is there now; `null` for an id that is none. */
export function continuesFrom(id: string, session: OpenSession): "same" | "grown" | null {
  const parts = /^(.{1,120}):(\d{1,15})\.(\d{1,15})$/.exec(id);
  if (!parts) return null;
  const now = placeOf(session);
  const [mainBytes, agentBytes] = [Number(parts[2]), Number(parts[3])];
  if (mainBytes > now.mainBytes || agentBytes > now.agentBytes) return null;
  const { files } = session;
  if (marksOf(identityAt(files, mainBytes)) !== parts[1]) return null;
  return mainBytes === now.mainBytes && agentBytes === now.agentBytes ? "same" : "grown";
}

function marksOf({ dev, ino, tail }: Identity): string {
  return `${dev.toString(36)}-${ino.toString(36)}-${tail.slice(0, 12)}`;
}

/** Of the main log; one that is gone has none, and its session begins anew when it comes back. */
function identityAt({ root, main }: SessionFiles, bytes: number): Identity {
  if (main.gone) return { dev: 0, ino: 0, size: 0, head: "", tail: "" };
  const descriptor = openConfinedSync(root, main.path);
  try {
    return identify(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}
