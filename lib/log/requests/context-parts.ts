import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { contextTokens } from "@/lib/log/table/message-tokens";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";
import type { SentRequest } from "./request-list";

/** A token is about this many characters, where nothing says what a text counted for. */
export const CHARS_A_TOKEN = 4;

/**
 * The parts into which a request is split, each at its index. `base`: system prompt and tools together, where the log
 * has neither. Results of tools are `result:<name>`, at indexes after these.
 */
const Part = {
  base: 0,
  system: 1,
  tools: 2,
  summary: 3,
  prompts: 4,
  answers: 5,
  thinking: 6,
  reports: 7,
  attachments: 8,
} as const;

/** Tokens by part, in whole numbers that add up to the request's; parts of none are left out. */
export type ContextParts = { [part: string]: number };

/** The system prompt and the tools of a request, in characters, where the log has them. */
export type Preamble = { system: number; tools: number };

/**
 * What fills the window, for each request. The log says how many tokens each request has; which part has how many of
 * them is estimated by its share of the characters.
 * @param sizes characters of each block, as `measureBlocks` puts them
 * @param preamble what of a request is in none of the session's records; null where the log has it not
 */
export function contextParts(
  table: SessionTable,
  graph: SessionGraph,
  requests: readonly SentRequest[],
  sizes: { readonly [block: number]: number },
  preamble: (request: number) => Preamble | null,
): ContextParts[] {
  const places = new PartPlaces(table, graph);
  const chars: number[][] = [];
  const starts = startTokens(table, requests, sizes);
  for (const request of inChainOrder(requests)) {
    const { before, boundary, added } = requests[request] as SentRequest;
    // Parents may form a circle: then one of them has nothing before it yet.
    const sums = boundary === -1 && before !== -1 ? (chars[before]?.slice() ?? []) : [];
    for (const record of added) {
      for (const block of blocksOf(table, record)) {
        const size = sizes[block] ?? 0;
        if (size === 0) continue;
        const place = places.of(record, block);
        while (sums.length <= place) sums.push(0);
        sums[place] = (sums[place] as number) + size;
      }
    }
    chars[request] = sums;
  }
  return requests.map(({ message }, request) => {
    const tokens = contextTokens(table, message);
    const shares = chars[request] as number[];
    const known = preamble(request);
    if (known) {
      const whole = shares.slice();
      while (whole.length <= Part.tools) whole.push(0);
      whole[Part.system] = known.system;
      whole[Part.tools] = known.tools;
      return scaled(places.names, whole, 0, tokens);
    }
    const isEmpty = total(shares) === 0;
    return scaled(places.names, shares, isEmpty ? tokens : Math.min(tokens, starts[request] ?? 0), tokens);
  });
}

/**
 * For each request the tokens with which its conversation began and which no record accounts for: its system prompt and
 * tools, where the log has neither. They stay in every later request.
 * @param sizes characters of the blocks that first requests send; others are not read
 */
export function startTokens(
  table: SessionTable,
  requests: readonly SentRequest[],
  sizes: { readonly [block: number]: number },
): number[] {
  const starts: number[] = [];
  for (const request of inChainOrder(requests)) {
    const { before, added, message } = requests[request] as SentRequest;
    if (before !== -1) {
      starts[request] = starts[before] ?? 0;
      continue;
    }
    let chars = 0;
    for (const record of added) for (const block of blocksOf(table, record)) chars += sizes[block] ?? 0;
    starts[request] = Math.max(0, contextTokens(table, message) - chars / CHARS_A_TOKEN);
  }
  return starts;
}

/** About how many tokens of a request are its system prompt and its tools. @param starts as `startTokens` counts them */
export function baseTokens(
  table: SessionTable,
  { message }: SentRequest,
  start: number,
  preamble: Preamble | null,
): number {
  if (preamble) return (preamble.system + preamble.tools) / CHARS_A_TOKEN;
  return Math.min(contextTokens(table, message), start);
}

/** Each request after the one that it continues: the order of time, unless a log's times are wrong. */
function inChainOrder(requests: readonly SentRequest[]): number[] {
  const order: number[] = [];
  const done = new Uint8Array(requests.length);
  for (let start = 0; start < requests.length; start++) {
    const chain: number[] = [];
    for (let at = start; at !== -1 && !done[at]; at = requests[at]?.before ?? -1) {
      done[at] = 1;
      chain.push(at);
    }
    for (const one of chain.reverse()) order.push(one);
  }
  return order;
}

function total(shares: readonly number[]): number {
  let sum = 0;
  for (const share of shares) sum += share;
  return sum;
}

/** `base` tokens and the rest by these shares, rounded so that they add up. */
function scaled(
  names: readonly string[],
  shares: readonly number[],
  base: number,
  tokens: number,
): ContextParts {
  const parts: ContextParts = {};
  const all = total(shares);
  const perShare = all === 0 ? 0 : (tokens - base) / all;
  let exact = 0;
  let rounded = 0;
  const put = (name: string, share: number) => {
    exact += share;
    const part = Math.round(exact) - rounded;
    rounded += part;
    if (part > 0) parts[name] = part;
  };
  put(names[Part.base] as string, all === 0 ? tokens : base);
  for (let place = 1; place < shares.length; place++)
    put(names[place] as string, (shares[place] as number) * perShare);
  return parts;
}

/** The parts of a session's requests, each at its place. Tools get theirs as they come. */
class PartPlaces {
  readonly names: string[] = Object.keys(Part);
  readonly #ofTool = new Map<number, number>();

  constructor(
    private readonly table: SessionTable,
    private readonly graph: SessionGraph,
  ) {}

  /** The part to which a block's size is added. */
  of(record: number, block: number): number {
    const { records, blocks } = this.table;
    switch (records.kind.at(record)) {
      case RecordKind.assistant:
      case RecordKind.synthetic:
        return blocks.kind.at(block) === BlockKind.thinking ? Part.thinking : Part.answers;
      case RecordKind.results:
        return this.#ofResult(blocks.call.at(block));
      case RecordKind.attachment:
        return this.graph.notified.has(record) ? Part.reports : Part.attachments;
      case RecordKind.notification:
        return Part.reports;
      case RecordKind.compactSummary:
      case RecordKind.compactBoundary:
        return Part.summary;
      default:
        return Part.prompts;
    }
  }

  #ofResult(call: number): number {
    if (call === -1) return Part.prompts;
    const { calls, tools } = this.table;
    const tool = calls.use.at(call) === -1 ? -1 : calls.tool.at(call);
    const known = this.#ofTool.get(tool);
    if (known !== undefined) return known;
    const name = tools.at(tool);
    const place = toolNamed(name)?.starts === "agent" ? Part.reports : this.#placeOf(`result:${name ?? "?"}`);
    this.#ofTool.set(tool, place);
    return place;
  }

  #placeOf(name: string): number {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }
}
