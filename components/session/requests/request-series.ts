import {
  formatClock,
  formatClockSeconds,
  formatCompact,
  formatCount,
  formatDuration,
  formatModel,
  formatShortDate,
  startOfDay,
} from "@/lib/format/format";
import { splitToolName } from "@/lib/tools/tools";
import type {
  AdvisorPass,
  MissCause,
  RequestMiss,
  SessionRequest,
} from "@/lib/wire/model-requests/session-requests";

/** The request that the address names, where it missed the cache: a list of misses leads to it. */
export function namedMiss(
  thread: { requests: readonly SessionRequest[] } | undefined,
  { step }: { step: string | null },
): SessionRequest | undefined {
  // Any other one only says which thread is shown.
  return thread?.requests.find(({ recordId, miss }) => recordId === step && miss !== null);
}

/** A part of the window as the chart draws it. `of`: its tokens in a request. */
export type RequestSeries = {
  key: string;
  name: string;
  color: string;
  of: (request: SessionRequest) => number;
};

const RESULT = "result:";

/** From the bottom up, as they stand in a request: what stays comes first. Neutrals keep a contrast of 3 on the page. */
const PARTS: readonly { key: string; name: string; color: string }[] = [
  { key: "base", name: "system and tools", color: "var(--line-3)" },
  { key: "system", name: "system", color: "var(--line-3)" },
  { key: "tools", name: "tools", color: "var(--fg-3)" },
  { key: "attachments", name: "attachments", color: "var(--lane-8)" },
  { key: "summary", name: "summary", color: "var(--lane-4)" },
  { key: "prompts", name: "prompts", color: "var(--fg)" },
  { key: "answers", name: "answers", color: "var(--lane-6)" },
  { key: "thinking", name: "thinking", color: "var(--lane-2)" },
  { key: "reports", name: "agents’ reports", color: "var(--lane-3)" },
];
const RESULT_COLORS = ["var(--lane-7)", "var(--lane-1)", "var(--lane-5)"];
const REST_COLOR = "var(--fg-2)";

/** The parts that these requests have; what tools returned by tool, for the few that returned most. */
export function partSeries(requests: readonly SessionRequest[]): RequestSeries[] {
  const most = new Map<string, number>();
  for (const { parts } of requests)
    for (const [key, tokens] of Object.entries(parts)) most.set(key, Math.max(most.get(key) ?? 0, tokens));
  const tools = [...most]
    .filter(([key]) => key.startsWith(RESULT))
    .sort(([, a], [, b]) => b - a)
    .map(([key]) => key);
  const named = tools.slice(0, RESULT_COLORS.length);
  const others = tools.slice(RESULT_COLORS.length);
  const plain = PARTS.filter(({ key }) => most.has(key)).map((part) => ({ ...part, of: tokensOf(part.key) }));
  const results = named.map((key, nth) => ({
    key,
    name: `${splitToolName(key.slice(RESULT.length)).filter(Boolean).join(" ")} results`,
    color: RESULT_COLORS[nth] ?? REST_COLOR,
    of: tokensOf(key),
  }));
  const rest = {
    key: "others",
    name: others.length === 1 ? `${others[0]?.slice(RESULT.length)} results` : "other results",
    color: REST_COLOR,
    of: ({ parts }: SessionRequest) => others.reduce((sum, key) => sum + (parts[key] ?? 0), 0),
  };
  return others.length > 0 ? [...plain, ...results, rest] : [...plain, ...results];
}

function tokensOf(key: string): (request: SessionRequest) => number {
  return ({ parts }) => parts[key] ?? 0;
}

/** A bar: some requests that follow one another, drawn as the fullest of them. `from`, `to`: places in the thread. */
export type RequestBar = {
  from: number;
  to: number;
  shown: number;
  request: SessionRequest;
  misses: number;
  compacted: boolean;
};

/** How many requests a bar stands for. */
function requestsPerBar(from: number, to: number, most: number): number {
  return Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
}

/** How many bars requests from one place up to another are. */
export function barPlaces(from: number, to: number, most: number): number {
  return Math.ceil((to - from) / requestsPerBar(from, to, most));
}

/** Requests from one place up to another, as far as they are here, as so many bars at the most. */
export function requestBars(
  requests: readonly SessionRequest[],
  from: number,
  to: number,
  most: number,
): RequestBar[] {
  const step = requestsPerBar(from, to, most);
  const bars: RequestBar[] = [];
  for (let at = from; at < Math.min(to, requests.length); at += step) {
    const end = Math.min(to, at + step, requests.length);
    let shown = at;
    let misses = 0;
    let compacted = false;
    for (let one = at; one < end; one++) {
      const request = requests[one] as SessionRequest;
      if (request.context > (requests[shown] as SessionRequest).context) shown = one;
      if (request.miss) misses += 1;
      compacted ||= request.compactedAt !== null;
    }
    bars.push({ from: at, to: end, shown, request: requests[shown] as SessionRequest, misses, compacted });
  }
  return bars;
}

/** A place for the longest label, and room between two. */
const LABEL_ROOM = 76;
/** No letter of a label is wider, in the chart's type. */
const LETTER_WIDTH = 6.5;

/**
 * Times below the bars, as many as have room, each from its bar on (`x`, in pixels from the first bar's edge; `slot` is the
 * room of a bar, `width` that of all). A time that several share stands below the first of them. Where a session goes on
 * over days, the first time of each has its date.
 */
export function timeLabels(
  bars: readonly RequestBar[],
  slot: number,
  width: number,
): { x: number; text: string }[] {
  const every = Math.max(1, Math.ceil(LABEL_ROOM / Math.max(1, slot)));
  const times = bars.flatMap(({ request: { atMs } }, index) =>
    index % every === 0 && atMs !== null ? [{ index, atMs }] : [],
  );
  const dayOf = (at: number) => startOfDay(times[at]?.atMs ?? Number.NaN);
  const isLong = times.some((_, at) => dayOf(at) !== dayOf(0));
  const labels: { x: number; text: string }[] = [];
  let before = { text: "", endsAt: 0 };
  for (const [at, { index, atMs }] of times.entries()) {
    const isFirst = isLong && dayOf(at) !== dayOf(at - 1);
    const text = isFirst ? `${formatShortDate(atMs)} ${formatClock(atMs)}` : formatClockSeconds(atMs);
    if (text === before.text) continue;
    const length = text.length * LETTER_WIDTH;
    const x = Math.min(index * slot, width - length);
    // Moved in from the edge, it would stand on the one before.
    if (x < before.endsAt) continue;
    labels.push({ x, text });
    before = { text, endsAt: x + length };
  }
  return labels;
}

/** What a cause is called, and what it means to somebody who has not read about caches. A newer server may know others. */
const CAUSES: Record<MissCause, { name: string; about: string }> = {
  expired: { name: "Expired", about: "The pause was longer than the cache is kept." },
  model: { name: "Model changed", about: "Each model has a cache of its own." },
  speed: { name: "Speed changed", about: "Fast mode has a cache of its own." },
  tools: {
    name: "Tools changed",
    about: "Tools stand first in what is cached: all that follows is sent anew.",
  },
  system: {
    name: "System prompt changed",
    about: "It stands before the conversation: all that follows is sent anew.",
  },
  settings: {
    name: "Settings changed",
    about: "Thinking and effort are part of what messages are cached under.",
  },
  block: { name: "An earlier message changed", about: "From there on all is sent anew." },
  order: { name: "Order changed", about: "The same parts were sent in another order." },
  cleared: {
    name: "Old results taken out",
    about: "The client cleared results to make room: all that follows is sent anew.",
  },
  compaction: {
    name: "Compaction",
    about: "The conversation was replaced by a summary, which no cache has yet.",
  },
  rewind: { name: "Rewind", about: "The conversation went on from an earlier place." },
  client: { name: "Another client version", about: "It has its own system prompt and tools." },
  preamble: {
    name: "System prompt or tools changed",
    about: "Not even the beginning was read. This log holds neither, so what changed is not known.",
  },
  unlogged: {
    name: "Something not in the log changed",
    about: "The beginning was read. Reminders, memory and the system prompt are not in this log.",
  },
  evicted: {
    name: "Dropped by the API",
    about: "All that was sent before was sent again, in time: nothing in the request explains it.",
  },
};

/** A cause in a few words; one that this page does not know by its own name. */
export function causeName(cause: MissCause): string {
  return CAUSES[cause]?.name ?? cause.replaceAll("-", " ");
}

/** What a cause means to somebody who has not read about caches. */
export function causeHint(cause: MissCause): string {
  return CAUSES[cause]?.about ?? "";
}

/** What the cause of this miss means; of an expired cache the times that show it. */
export function causeAbout({ cause, difference }: RequestMiss): string {
  if (cause !== "expired" || !difference?.ageMs || !difference.ttlMs) return causeHint(cause);
  return `Last used ${formatDuration(difference.ageMs)} before; kept for ${formatDuration(difference.ttlMs)}.`;
}

/** A request that missed, and its place among those of its thread, from 1. */
export type MissedRequest = { request: SessionRequest; miss: RequestMiss; number: number };

/** Requests that missed, the costliest first; what has no price by its tokens, after the others. */
export function missedRequests(requests: readonly SessionRequest[]): MissedRequest[] {
  const missed = requests.flatMap((request, nth): MissedRequest[] =>
    request.miss ? [{ request, miss: request.miss, number: nth + 1 }] : [],
  );
  return missed.sort(
    (a, b) => (b.miss.microUsd ?? -1) - (a.miss.microUsd ?? -1) || b.miss.lostTokens - a.miss.lostTokens,
  );
}

/** What each cause cost together, the dearest first. */
export function missesByCause(
  missed: readonly MissedRequest[],
): { cause: MissCause; count: number; microUsd: number; lostTokens: number }[] {
  const sums = new Map<MissCause, { count: number; microUsd: number; lostTokens: number }>();
  for (const { miss } of missed) {
    const sum = sums.get(miss.cause) ?? { count: 0, microUsd: 0, lostTokens: 0 };
    sums.set(miss.cause, sum);
    sum.count += 1;
    sum.microUsd += miss.microUsd ?? 0;
    sum.lostTokens += miss.lostTokens;
  }
  return [...sums]
    .map(([cause, sum]) => ({ cause, ...sum }))
    .sort((a, b) => b.microUsd - a.microUsd || b.lostTokens - a.lostTokens);
}

/** `70.2k of 200k`: what was sent, against the model's window. */
export function fillWords(request: SessionRequest): string {
  const { window } = request;
  const sent = formatCompact(request.context);
  return window === null ? `${sent} tok` : `${sent} of ${formatCompact(window)} tok`;
}

/** How much an advisor was sent; of several that are drawn as one, the most. */
export function advisedTokens({ advisors }: SessionRequest): number {
  return advisors.reduce((most, pass) => Math.max(most, sentTo(pass)), 0);
}

/** What an advisor was sent. */
export function sentTo({ input, cacheRead, cacheWrite }: AdvisorPass): number {
  return input + cacheRead + cacheWrite;
}

/** `2 passes, together 123k in and 445 out; the last was sent 62k`: nothing of a request of one pass. */
export function passWords(
  passes: number,
  { context, sum, output }: { context: number; sum: number; output: number },
): string | null {
  if (passes < 2) return null;
  return `${formatCount(passes)} passes, together ${formatCompact(sum)} in and ${formatCompact(output)} out; the last was sent ${formatCompact(context)}`;
}

/** `advisor opus-5-5: 61k in, 7.8k out`, each of them. */
export function advisorWords({ advisors }: SessionRequest): string[] {
  return advisors.map(
    (pass) =>
      `advisor ${formatModel(pass.model)}: ${formatCompact(sentTo(pass))} in, ${formatCompact(pass.output)} out`,
  );
}

/** The value at which the axis ends: the window, unless nothing comes near it. */
export function axisTop(requests: readonly SessionRequest[]): number {
  const peak = requests.reduce((most, one) => Math.max(most, one.context, advisedTokens(one)), 1);
  const window = requests.reduce((most, one) => Math.max(most, one.window ?? 0), 0);
  return window > 0 && peak > window / 4 ? Math.max(window, peak) : peak * 1.1;
}
