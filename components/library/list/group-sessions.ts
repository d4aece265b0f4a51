import { formatMonth, startOfDay, startOfWeek } from "@/lib/format/format";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import type { SessionSort } from "@/lib/wire/library-columns";

/** The library's list, flat: headings and sessions in the order they are drawn. */
export type LibraryItem =
  | { kind: "group"; key: string; label: string; count: number | null; live: boolean }
  | { kind: "session"; key: string; session: SessionSummary };

/** Clocks may differ by this much, and the page's own is half a minute behind at most. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Headings by time for orders by time; running and waiting sessions first. The stream may have reported a later time of
 * a session than the one by which the server has ordered the list. `complete`: no further sessions will be loaded;
 * until then the last group's count is not known (`null`).
 */
export function groupSessions(
  sessions: readonly SessionSummary[],
  { sort, nowMs, complete }: { sort: SessionSort; nowMs: number; complete: boolean },
): LibraryItem[] {
  if (sort !== "active" && sort !== "started") return sessions.map(toItem);
  const timeOf = (session: SessionSummary) =>
    sort === "active" ? session.lastActiveAtMs : session.startedAtMs;
  const live = sort === "active" ? sessions.filter(isInProgress) : [];
  const rest = sort === "active" ? sessions.filter((session) => !isInProgress(session)) : [...sessions];
  // The difference of two missing times is no number.
  rest.sort((a, b) => (timeOf(b) ?? Number.NEGATIVE_INFINITY) - (timeOf(a) ?? Number.NEGATIVE_INFINITY) || 0);
  const groups: { label: string; live: boolean; sessions: SessionSummary[] }[] = [];
  if (live.length > 0) groups.push({ label: "Running", live: true, sessions: live });
  for (const session of rest) {
    const label = timeLabel(timeOf(session), nowMs);
    const last = groups.at(-1);
    if (last && last.label === label) last.sessions.push(session);
    else groups.push({ label, live: false, sessions: [session] });
  }
  return groups.flatMap((group, index) => {
    const known = complete || index < groups.length - 1;
    const heading: LibraryItem = {
      kind: "group",
      key: `group ${index} ${group.label}`,
      label: group.label,
      count: known ? group.sessions.length : null,
      live: group.live,
    };
    return [heading, ...group.sessions.map(toItem)];
  });
}

function toItem(session: SessionSummary): LibraryItem {
  return { kind: "session", key: session.id, session };
}

function timeLabel(atMs: number | null, nowMs: number): string {
  if (atMs === null) return "No time";
  if (atMs > nowMs + CLOCK_SKEW_MS) return "In the future";
  if (atMs >= startOfDay(nowMs)) return "Today";
  if (atMs >= startOfDay(nowMs, 1)) return "Yesterday";
  const week = startOfWeek(nowMs);
  if (atMs >= week) return "This week";
  if (atMs >= startOfDay(week, 7)) return "Last week";
  return formatMonth(atMs, nowMs);
}
