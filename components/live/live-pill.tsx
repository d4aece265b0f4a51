import { clsx } from "clsx";
import { CircleQuestionMark, CircleStop, Lock, type LucideIcon } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { RunningRing } from "@/components/ui/marks";
import { StateBar } from "@/components/ui/states";
import { Elapsed } from "@/components/ui/time";
import { QUIET_MS, useLastKnown } from "@/lib/client/connection/last-known";
import { type LiveStream, useLiveStatus } from "@/lib/client/connection/live-stream";
import { useIsGuest } from "@/lib/client/connection/token";
import { useLiveState } from "@/lib/client/live-states";
import { useNow } from "@/lib/client/use-now";
import { formatClockSeconds, formatDuration, formatElapsed } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import type { SessionId } from "@/lib/wire/ids";
import type { Doing, LiveState } from "@/lib/wire/live";

/**
 * In a session's bar: whether it is running or waiting, what it is doing, for how long. Nothing for an inactive
 * session.
 */
export function LivePill({ sessionId }: { sessionId: SessionId }) {
  const live = useLiveState(sessionId);
  const isGuest = useIsGuest();
  const knownMs = useLastKnown();
  const word = live ? stateWord(live, isGuest ? "the user" : "you") : null;
  if (!live || word === null) return null;
  const waits = live.state === "waiting";
  const asOf = knownMs === null ? null : `as of ${formatClockSeconds(knownMs)}`;
  const tone = asOf
    ? "border-line-2 text-fg-2"
    : waits
      ? "border-warn text-warn"
      : live.state === "running"
        ? "border-run text-run"
        : live.state === "interrupted" && live.checked
          ? "border-line-2 text-err"
          : "border-line-2 text-fg-2";
  return (
    <span
      title={labelHidden(
        [[word, formatActivity(live)].filter(Boolean).join(": "), asOf].filter(Boolean).join(", "),
      )}
      className={clsx(
        "flex h-6 flex-none items-center gap-1.5 rounded-2 border px-2 text-12 tabular-nums",
        tone,
      )}
    >
      {waits && <Icon of={waitIcon(live.doing)} small />}
      {live.state === "running" && <RunningRing />}
      {live.state === "interrupted" && <Icon of={CircleStop} small />}
      <span className="max-md:sr-only">{word}</span>
      {waits && !live.checked && (
        <span
          className="text-fg-3 max-xl:hidden"
          title="Its process can’t be checked from here; it may have ended since"
        >
          last known state
        </span>
      )}
      {live.doing?.name && (
        <span className="max-lg:hidden">
          {live.state === "interrupted" && "during "}
          <span className="font-mono">{shortToolName(live.doing.name)}</span>
        </span>
      )}
      {live.state === "interrupted" ? null : (
        <Elapsed sinceMs={live.doing?.sinceMs ?? live.sinceMs} format={formatElapsed} />
      )}
      {asOf && <span className="text-fg-3 max-md:sr-only">{asOf}</span>}
    </span>
  );
}

/** The mark of a waiting session: for an answer to a question, or for a permission. */
export function waitIcon(doing: Pick<Doing, "kind"> | null | undefined): LucideIcon {
  return doing?.kind === "question" ? CircleQuestionMark : Lock;
}

const WORDS: Record<Doing["kind"], string> = {
  tool: "Running",
  thinking: "Thinking",
  permission: "Asks for permission",
  question: "Asks a question",
  agents: "Waiting for agents",
  answered: "Answered",
  menu: "Menu open",
  shells: "Background commands",
};

/**
 * A session's state, in a few words; `null` if it is not known to be active.
 * @param user what the session's user is called: a guest of a share is another person
 */
export function stateWord(
  { state, doing, gone }: LiveState,
  user: "you" | "the user" = "you",
): string | null {
  if (state === "waiting") return doing ? WORDS[doing.kind] : `Waiting for ${user}`;
  // The log alone does not show whether a call is running or its person is asked about it.
  if (state === "running")
    return doing?.mayAsk ? `Running or waiting for ${user}` : doing ? WORDS[doing.kind] : "Running";
  if (state === "idle" || state === "unknown") return doing && WORDS[doing.kind];
  if (state !== "interrupted") return null;
  if (!gone) return "Interrupted";
  return doing?.kind === "thinking" ? "Stopped while thinking" : "Stopped";
}

/** What it is doing: `Bash npm test`, `2 agents`. */
export function formatActivity({ doing }: LiveState): string | null {
  if (!doing?.name) return doing?.subject ?? null;
  const name = shortToolName(doing.name);
  return doing.subject ? `${name} ${doing.subject}` : name;
}

/** A line above content that is not live: since when, and when the next attempt is. The content stays. */
export function LiveBar({ stream }: { stream: LiveStream }) {
  const { kind, sinceMs, nextTryAtMs, againAfterMs } = useLiveStatus(stream.status);
  const nowMs = useNow("seconds");
  if (againAfterMs !== null) {
    return <StateBar tone="done">Reconnected after {formatDuration(againAfterMs)}, nothing missed</StateBar>;
  }
  if (kind !== "stale" || sinceMs === null || nowMs - sinceMs < QUIET_MS) return null;
  const seconds = Math.max(0, Math.ceil(((nextTryAtMs ?? nowMs) - nowMs) / 1000));
  return (
    <StateBar
      tone="stale"
      action={
        <button type="button" className="underline underline-offset-2" onClick={stream.retryNow}>
          Retry now
        </button>
      }
    >
      Disconnected since {formatClockSeconds(sinceMs)}. Reconnecting
      {/* A screen reader reads all of this again when any part changes. */}
      <span aria-hidden="true">{seconds > 0 ? `, next try in ${seconds} s` : "…"}</span>
    </StateBar>
  );
}
