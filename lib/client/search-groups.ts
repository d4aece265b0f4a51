import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";

/** A line of the list of hits. `index` counts hits, for the keys; `group` is the session's place. */
export type HitItem =
  | {
      kind: "session";
      key: string;
      sessionId: SessionId;
      count: number;
      newestMs: number | null;
      folded: boolean;
    }
  | { kind: "hit"; key: string; hit: SearchHit }
  | { kind: "more"; key: string; sessionId: SessionId; left: number };

/** Hits of a session that are shown before its last line is asked for more. */
export const SHOWN_IN_GROUP = 6;

/** What the list shows beside the hits themselves. */
export type GroupState = { folded: ReadonlySet<string>; expanded: ReadonlySet<string> };

/**
 * Hits under their sessions, each session where its first hit came: the server's order is by rank, then
 * by time. A hit that comes later joins its session and moves no other.
 */
export function groupHits(hits: readonly SearchHit[], { folded, expanded }: GroupState): HitItem[] {
  const bySession = new Map<SessionId, SearchHit[]>();
  for (const hit of hits) {
    const group = bySession.get(hit.sessionId);
    if (group) group.push(hit);
    else bySession.set(hit.sessionId, [hit]);
  }
  return [...bySession].flatMap(([sessionId, group]): HitItem[] => {
    const isFolded = folded.has(sessionId);
    const times = group.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
    const newestMs = times.reduce<number | null>((newest, atMs) => Math.max(newest ?? atMs, atMs), null);
    const head: HitItem = {
      kind: "session",
      key: `session ${sessionId}`,
      sessionId,
      count: group.length,
      newestMs,
      folded: isFolded,
    };
    if (isFolded) return [head];
    // One left over is shown, not counted.
    const whole = expanded.has(sessionId) || group.length <= SHOWN_IN_GROUP + 1;
    const shown = whole ? group : group.slice(0, SHOWN_IN_GROUP);
    const left = group.length - shown.length;
    const more: HitItem[] = left > 0 ? [{ kind: "more", key: `more ${sessionId}`, sessionId, left }] : [];
    return [head, ...shown.map(toItem), ...more];
  });
}

/** All hits, the newest first; those without a time last. */
export function hitsByTime(hits: readonly SearchHit[]): HitItem[] {
  return hits
    .toSorted(
      (left, right) =>
        (right.atMs ?? Number.NEGATIVE_INFINITY) - (left.atMs ?? Number.NEGATIVE_INFINITY) || 0,
    )
    .map(toItem);
}

function toItem(hit: SearchHit): HitItem {
  return { kind: "hit", key: hitKey(hit), hit };
}

/** One hit a text: record, block and field name it. */
export function hitKey({ sessionId, recordId, block, field }: SearchHit): string {
  return `${sessionId} ${recordId}.${block} ${field}`;
}
