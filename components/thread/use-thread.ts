import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { parsePermalink, type ThreadChoice } from "@/lib/client/session-url";
import { throttled } from "@/lib/client/throttle";
import type { SessionId } from "@/lib/wire/ids";
import type { ScanProgress } from "@/lib/wire/session";
import {
  type Anchor,
  continueThread,
  type Elsewhere,
  type OpenThread,
  openThread,
  startAtHeld,
} from "./open-thread";
import type { ThreadWindows } from "./thread-windows";

export type ThreadState = {
  thread: OpenThread | null;
  /** Its first rows, while the server still reads the session and the thread is not there. */
  beginning: OpenThread | null;
  scanning: ScanProgress["scanning"] | null;
  error: Error | null;
  retry: () => void;
};

/**
 * Opens the chosen thread: where the reader was in the thread before or in this one (`anchor`), else at what
 * `at` points to, else at its first prompt. The thread before stays until the next one is there, and a beginning
 * until the whole is.
 */
export function useThread(
  sessionId: SessionId,
  choice: ThreadChoice,
  at: string | null,
  anchor: () => Anchor | null,
  follow = false,
  onElsewhere?: (where: Elsewhere) => void,
): ThreadState {
  const [state, setState] = useState<Omit<ThreadState, "retry">>({
    thread: null,
    beginning: null,
    scanning: null,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const shown = useRef<OpenThread | null>(null);
  const asked = useRef({ choice, at, anchor, follow, onElsewhere });
  asked.current = { choice, at, anchor, follow, onElsewhere };

  const threadKey = `${sessionId}|${choice.key}`;
  useEffect(() => {
    const controller = new AbortController();
    const { choice, at, anchor, follow } = asked.current;
    const kept = anchor();
    // Without a row on screen (the graph is there instead) what the address names holds again.
    const place = kept ? null : parsePermalink(at);
    const { signal } = controller;
    const onScan = (scanning: ScanProgress["scanning"]) => setState((old) => ({ ...old, scanning }));

    let beginning: OpenThread | null = null;
    const onBeginning = (begun: OpenThread) => {
      if (signal.aborted) return;
      beginning = begun;
      shown.current = begun;
      setState((old) => ({ ...old, beginning: begun }));
    };

    const opening = { place: place ?? kept, toEnd: follow && !shown.current && !place };
    const open = async () => {
      const opened = await openThread(sessionId, choice, opening, signal, { onScan, onBeginning });
      if (!beginning) return opened;
      const { anchor } = asked.current;
      return {
        ...opened,
        thread: await continueThread(sessionId, beginning, opened.thread, anchor, signal),
      };
    };
    void open().then(
      ({ thread, found, elsewhere }) => {
        if (signal.aborted) return thread.windows.dispose();
        const { onElsewhere } = asked.current;
        if (place && elsewhere && onElsewhere) {
          // The view that shows the record opens next, in this one's place.
          thread.windows.dispose();
          return onElsewhere(elsewhere);
        }
        shown.current?.windows.dispose();
        if (found !== null) {
          thread.start = kept
            ? startAtHeld(found, kept)
            : { index: found, selected: true, offsetPx: null, atEnd: false };
        } else if (place) toast("The linked record is not in this view of the thread", "err");
        shown.current = thread;
        setState({ thread, beginning: null, scanning: null, error: null });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        setState((old) => ({
          ...old,
          scanning: null,
          error: error instanceof Error ? error : new Error(String(error)),
        }));
      },
    );
    return () => controller.abort();
    // `threadKey` stands for the session and the choice, `attempt` for a wish to try again.
  }, [sessionId, threadKey, attempt]);

  useEffect(() => () => shown.current?.windows.dispose(), []);
  return useMemo(() => ({ ...state, retry: () => setAttempt((n) => n + 1) }), [state]);
}

/** Answers of rows that are written one by one come before the next; of those that pour in not each is waited for. */
const LEAST_PAUSE_MS = 50;
/** So many times as long as an answer took: two thirds of the time the server does other things. */
const REST = 2;

/**
 * Asks for a picture of a thread again whenever its rows have changed: at once after a rest, and while rows
 * pour in as often as answers come. One that is not `shown` is asked for when it is again.
 * @param pauseMs between two askings at least
 */
export function useLiveRefetch(
  windows: ThreadWindows<unknown> | null,
  refetch: () => Promise<unknown>,
  shown = true,
  pauseMs = LEAST_PAUSE_MS,
): void {
  const ask = useEffectEvent(refetch);
  /** The revision that was asked for last, of these windows. */
  const known = useRef<{ of: typeof windows; revision: number }>({ of: null, revision: 0 });
  useEffect(() => {
    if (!windows) return;
    if (known.current.of !== windows)
      known.current = { of: windows, revision: windows.getSnapshot().revision };
    if (!shown) return;
    const renew = throttled(pauseMs, () => ask(), REST);
    const look = () => {
      const { revision } = windows.getSnapshot();
      if (revision === known.current.revision) return;
      known.current.revision = revision;
      renew();
    };
    look();
    return windows.subscribe(look);
  }, [windows, shown, pauseMs]);
}
