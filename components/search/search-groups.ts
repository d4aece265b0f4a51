import { addTo } from "@/lib/format/lists";
import { formatRowKey, type SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import type { SearchField, SearchHit } from "@/lib/wire/search";

/** A line of the list of hits. */
export type HitItem =
  | {
      kind: "session";
      key: string;
      sessionId: SessionId;
      /** The hit that is the session's title: marked in the heading, not listed below it. */
      hit: SearchHit | null;
      count: number;
      newestMs: number | null;
      folded: boolean;
    }
  | { kind: "hit"; key: string; hit: SearchHit }
  | { kind: "more"; key: string; sessionId: SessionId; left: number };

/** The number of hits shown of a session before more are requested by its last line. */
const SHOWN_IN_GROUP = 6;

/** What the list shows in addition to the hits. */
export type GroupState = { folded: ReadonlySet<string>; expanded: ReadonlySet<string> };

/** The fields from which a title is made if a session has none: a prompt, or a command (`/review 2214`). */
const TYPED: ReadonlySet<SearchField> = new Set(["prompt", "command"]);

/**
 * Hits without those that only repeat a title: the client writes it into the log again and again, and it is already
 * found as the title, or as the prompt from which it was made.
 */
export function withoutRepeats(
  hits: readonly SearchHit[],
  titleOf: (sessionId: SessionId) => string | undefined,
): readonly SearchHit[] {
  const repeats = (hit: SearchHit) => hit.field === "meta" && hit.snippet === titleOf(hit.sessionId);
  if (!hits.some(repeats)) return hits;
  const told = new Set(
    hits.flatMap(({ field, snippet, sessionId }) =>
      (field === "title" || TYPED.has(field)) && snippet === titleOf(sessionId) ? [sessionId] : [],
    ),
  );
  return hits.filter((hit) => !repeats(hit) || !told.has(hit.sessionId));
}

/** The head of a group: the session's title, of which the first `seen` characters are certainly visible. */
export type Headings = {
  of: (sessionId: SessionId) => Pick<SessionSummary, "title" | "titleSource"> | undefined;
  seen: number;
};

/**
 * Hits grouped by session, each session where its first hit arrived: the server's order is by rank, then by time. A
 * later hit is added to its session and moves no other.
 */
export function groupHits(
  hits: readonly SearchHit[],
  { folded, expanded }: GroupState,
  headings: Headings,
): HitItem[] {
  const bySession = new Map<SessionId, SearchHit[]>();
  for (const hit of hits) {
    addTo(bySession, hit.sessionId, hit);
  }
  return [...bySession].flatMap(([sessionId, group]): HitItem[] => {
    const isFolded = folded.has(sessionId);
    const times = group.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
    const newestMs = times.reduce<number | null>((newest, atMs) => Math.max(newest ?? atMs, atMs), null);
    const hit = headingHit(group, headings.of(sessionId), headings.seen);
    const listed = hit ? group.filter((one) => one !== hit) : group;
    const head: HitItem = {
      kind: "session",
      key: `session ${sessionId}`,
      sessionId,
      hit,
      count: group.length,
      newestMs,
      folded: isFolded,
    };
    if (isFolded) return [head];
    // A single remaining hit is shown, not counted.
    const whole = expanded.has(sessionId) || listed.length <= SHOWN_IN_GROUP + 1;
    const shown = whole ? listed : listed.slice(0, SHOWN_IN_GROUP);
    const left = listed.length - shown.length;
    const more: HitItem[] = left > 0 ? [{ kind: "more", key: `more ${sessionId}`, sessionId, left }] : [];
    return [head, ...shown.map(toItem), ...more];
  });
}

/**
 * The hit that would only repeat the heading: in the title, or in the prompt from which the title was made, and visible
 * in the heading from its first match to its last.
 */
function headingHit(
  group: readonly SearchHit[],
  session: ReturnType<Headings["of"]>,
  seen: number,
): SearchHit | null {
  if (!session?.title) return null;
  const isTyped = session.titleSource === "prompt";
  const same = group.filter(
    (hit) =>
      (isTyped ? TYPED.has(hit.field) : hit.field === "title") &&
      hit.agentId === null &&
      hit.snippet === session.title &&
      hit.ranges.every(([, to]) => to <= seen),
  );
  // The same words may have been typed again later: that is another find.
  return same.reduce<SearchHit | null>(
    (first, hit) => (first && (first.atMs ?? 0) <= (hit.atMs ?? 0) ? first : hit),
    null,
  );
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

/** A text has one hit: record, block and field identify it. */
export function hitKey({ sessionId, recordId, block, field }: SearchHit): string {
  return `${sessionId} ${formatRowKey(recordId, block)} ${field}`;
}

/** The hit of a line: a hit's own line, or a heading in which it was found. */
export function hitOf(item: HitItem | undefined): SearchHit | null {
  return item && item.kind !== "more" ? item.hit : null;
}
