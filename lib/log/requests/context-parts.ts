import { endsStep, type InSteps } from "@/lib/format/in-steps";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { contextTokens } from "@/lib/log/table/message-tokens";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { CHARS_A_TOKEN, type Preamble, startTokens } from "./base-tokens";
import { Part, PartPlaces } from "./part-places";
import { inChainOrder, type SentRequest } from "./request-list";
import { WindowParts } from "./window-parts";

/** What a request sends: its tokens, which the log has, and characters by part. */
type Sent = { total: number; model: number; chars: readonly number[]; hasPreamble: boolean };

/** The same with its tokens by part, of which the log has none, and which are no whole numbers yet. */
type FilledWindow = Sent & { tokens: readonly number[] };

/** Tokens of the parts for which they are known. */
type KnownTokens = { readonly [place: number]: number };

/**
 * What fills the window, for each request. The log says how many tokens each request has, and so how many more than the
 * one before: those belong to what it added, by the characters of that, and what was there before keeps its own. A
 * request that begins anew, as after a compaction, is split by the characters of everything that it sends.
 * @param sizes characters of each block, as `BlockSizes` measures them
 * @param preamble what of a request is in none of the session's records; null where the log has it not
 */
export function* contextParts(
  table: SessionTable,
  graph: SessionGraph,
  requests: readonly SentRequest[],
  sizes: { readonly [block: number]: number },
  preamble: (request: number) => Preamble | null,
): InSteps<WindowParts> {
  const places = new PartPlaces(table, graph);
  const starts = startTokens(table, requests, sizes);
  const parts = new WindowParts(places.names, requests.length);
  // A window is kept only while a request that goes on from it is still to come: all of them would be most of the memory.
  const windows = new Map<number, FilledWindow>();
  const awaited = new Uint32Array(requests.length);
  for (const { before } of requests) if (before !== -1) awaited[before] = (awaited[before] ?? 0) + 1;
  yield;
  for (const [nth, request] of inChainOrder(requests).entries()) {
    if (endsStep(nth)) yield;
    const { before, boundary, added, message } = requests[request] as SentRequest;
    // Parents may form a circle: then one of them has nothing before it yet.
    const earlier = windows.get(before) ?? null;
    const chars = boundary === -1 && earlier ? [...earlier.chars] : [];
    for (const record of added)
      for (const block of blocksOf(table, record)) addAt(chars, places.of(record, block), sizes[block] ?? 0);
    const logged = preamble(request);
    if (logged) {
      addAt(chars, Part.tools, logged.tools - (chars[Part.tools] ?? 0));
      addAt(chars, Part.system, logged.system - (chars[Part.system] ?? 0));
    }
    const sent: Sent = {
      total: contextTokens(table, message),
      model: table.messages.model.at(message),
      chars,
      hasPreamble: logged !== null,
    };
    const like =
      earlier !== null && earlier.total > 0 && earlier.hasPreamble === sent.hasPreamble ? earlier : null;
    let known: KnownTokens = {};
    if (!logged) known = { [Part.base]: Math.min(sent.total, starts[request] ?? 0) };
    else if (like) known = preambleOf(like, sent);
    const filled = like && boundary === -1 ? goneOn(like, sent) : begun(sent, known);
    parts.put(request, filled.tokens);
    if ((awaited[request] ?? 0) > 0) windows.set(request, filled);
    if (before !== -1 && left(awaited, before) === 0) windows.delete(before);
  }
  return parts;
}

/**
 * Fewer or more tokens than these for what was added tell that something else has changed: how a text is counted, by
 * another model, or what is sent of what was there, as of thoughts that are left out.
 */
const MIN_TOKENS_A_CHAR = 1 / 16;
const MAX_TOKENS_A_CHAR = 1;
/** What a message has around its content, and the client's reminders that no line holds. */
const MAX_UNLOGGED_TOKENS = 500;

/** The window of a request that goes on from the one before it. */
function goneOn(before: FilledWindow, sent: Sent): FilledWindow {
  const { chars, total, model } = sent;
  // Of a system prompt, or of tools, that became shorter, so many tokens are left.
  const tokens = chars.map((size, place) => {
    const [earlier, had] = [before.chars[place] ?? 0, before.tokens[place] ?? 0];
    return size < earlier ? (had * size) / earlier : had;
  });
  const added = chars.map((size, place) => Math.max(0, size - (before.chars[place] ?? 0)));
  const addedChars = sumOf(added);
  const addedTokens = total - sumOf(tokens);
  const fits =
    addedChars > 0 &&
    addedTokens >= addedChars * MIN_TOKENS_A_CHAR &&
    addedTokens <= addedChars * MAX_TOKENS_A_CHAR + MAX_UNLOGGED_TOKENS;
  const perChar = fits ? addedTokens / addedChars : 1 / CHARS_A_TOKEN;
  for (const [place, size] of added.entries()) addAt(tokens, place, size * perChar);
  if (fits) return { ...sent, tokens };
  const all = sumOf(tokens);
  // Another model counts the same text otherwise; for the same one system prompt and tools are what they were.
  const kept = model === before.model ? tokens.map((count, place) => (isPreamble(place) ? count : 0)) : [];
  const keptTokens = sumOf(kept);
  if (keptTokens > total || all === keptTokens) return begun(sent, {});
  const share = (total - keptTokens) / (all - keptTokens);
  return {
    ...sent,
    tokens: tokens.map((count, place) => (kept[place] ?? 0) + (count - (kept[place] ?? 0)) * share),
  };
}

/** The window of a request that begins anew: what is not known is shared out by the characters. */
function begun(sent: Sent, known: KnownTokens): FilledWindow {
  const { chars, total } = sent;
  const knownTokens = sumOf(Object.values(known));
  const free = sumOf(chars.filter((_, place) => !(place in known)));
  if (Object.keys(known).length > 0 && (knownTokens > total || free === 0)) return begun(sent, {});
  // Of what has no characters in the log, all is system prompt and tools.
  if (free === 0) return { ...sent, tokens: [total] };
  const tokens = chars.map((size, place) => known[place] ?? (size * (total - knownTokens)) / free);
  return { ...sent, tokens };
}

/** The system prompt and the tools of a request, as those of an earlier one were counted, as far as they have not changed. */
function preambleOf({ chars, tokens }: FilledWindow, sent: Sent): KnownTokens {
  const known: { [place: number]: number } = {};
  for (const place of [Part.system, Part.tools])
    if (chars[place] === sent.chars[place]) known[place] = tokens[place] ?? 0;
  return known;
}

function isPreamble(place: number): boolean {
  return place === Part.base || place === Part.system || place === Part.tools;
}

function sumOf(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** Adds to a number of a list, which is made longer for it. */
function addAt(list: number[], place: number, amount: number): void {
  while (list.length <= place) list.push(0);
  list[place] = (list[place] as number) + amount;
}

/** How many still wait for a window, with one less. */
function left(awaited: Uint32Array, request: number): number {
  const count = (awaited[request] ?? 0) - 1;
  awaited[request] = count;
  return count;
}
