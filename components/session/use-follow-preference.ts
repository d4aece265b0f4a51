import { type RefObject, useEffect, useRef } from "react";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { usePreferences } from "@/lib/client/preferences";
import type { ThreadUrl } from "@/lib/client/thread-url";
import type { SessionDetail } from "@/lib/wire/session";

/**
 * Takes a reader who prefers it to the end of a running session, once, when it has opened; a link that says where
 * to begin wins. From the end the list follows what comes.
 */
export function useFollowPreference(
  session: SessionDetail | null,
  url: Pick<ThreadUrl, "at" | "follow">,
  isOpen: boolean,
  handle: RefObject<ThreadHandle | null>,
  position: PositionStore,
): void {
  const { follow } = usePreferences();
  const decided = useRef(false);
  const asked = url.at !== null || url.follow !== null;
  useEffect(() => {
    if (decided.current || !session || !isOpen) return;
    decided.current = true;
    if (!follow || asked || session.state !== "running") return;
    void handle.current?.goTo(position.get().total - 1, "start");
  }, [session, isOpen, follow, asked, handle, position]);
}
