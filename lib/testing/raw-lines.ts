import { readFileSync } from "node:fs";
import { addCost, noCost, PriceTable, toCost } from "@/lib/cost/price-table";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionId } from "@/lib/wire/ids";
import type { Usage } from "@/lib/wire/library";
import type { Cost } from "@/lib/wire/usage";

/** A line of a log as a test reads it. */
export type RawLine = {
  type?: string;
  uuid?: string;
  parentUuid?: string | null;
  timestamp?: string;
  message?: { id?: string; model?: string; usage?: Record<string, unknown>; content?: unknown };
};

/** All lines of a session's transcripts, parsed without the reader under test. Every line of the recordings is JSON. */
export function linesOf(catalog: Catalog, id: SessionId): RawLine[] {
  const { main, agents } = catalog.sessionFiles(id);
  return [main, ...agents].flatMap(({ path }) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as RawLine),
  );
}

const FIELDS: [keyof Usage, string, string?][] = [
  ["input", "input_tokens"],
  ["output", "output_tokens"],
  ["cacheWrite", "cache_creation_input_tokens"],
  ["cacheWrite5m", "cache_creation", "ephemeral_5m_input_tokens"],
  ["cacheWrite1h", "cache_creation", "ephemeral_1h_input_tokens"],
  ["cacheRead", "cache_read_input_tokens"],
  ["webSearches", "server_tool_use", "web_search_requests"],
  ["webFetches", "server_tool_use", "web_fetch_requests"],
];

/** The most that any line says, for each message id and field, added up. */
export function usageOf(lines: readonly RawLine[]): Usage {
  const most = new Map<string, number>();
  for (const { type, message } of lines) {
    if (type !== "assistant" || !message?.id) continue;
    const says = (field: string, inner?: string) => {
      const value = inner
        ? (message.usage?.[field] as Record<string, unknown> | undefined)?.[inner]
        : message.usage?.[field];
      return typeof value === "number" ? value : 0;
    };
    for (const [name, field, inner] of FIELDS) {
      // Before 2.1.152 the sum may be 0 where its parts are not.
      const parts = name === "cacheWrite" ? ["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"] : [];
      const written = parts.reduce((sum, part) => sum + says("cache_creation", part), 0);
      const key = `${message.id} ${name}`;
      most.set(key, Math.max(most.get(key) ?? 0, says(field, inner), written));
    }
  }
  const sum = (name: string) =>
    [...most].reduce((total, [key, value]) => (key.endsWith(` ${name}`) ? total + value : total), 0);
  return Object.fromEntries(FIELDS.map(([name]) => [name, sum(name)])) as Usage;
}

/** What the messages of these lines cost, each once: by its first line's time, on the terms that any line tells. */
export function costOf(lines: readonly RawLine[]): Cost {
  const prices = new PriceTable();
  const sum = noCost();
  const byId = new Map<string, RawLine[]>();
  for (const line of lines) {
    const { id } = line.message ?? {};
    if (line.type === "assistant" && id) byId.set(id, [...(byId.get(id) ?? []), line]);
  }
  for (const own of byId.values()) {
    const times = own.flatMap(({ timestamp }) => (timestamp ? [Date.parse(timestamp)] : []));
    const says = (field: string, value: string) =>
      own.some(({ message }) => message?.usage?.[field] === value);
    const tokens = usageOf(own);
    addCost(
      sum,
      prices.cost({
        tokens,
        webSearches: tokens.webSearches,
        model: own[0]?.message?.model ?? "",
        atMs: times.length > 0 ? Math.min(...times) : Number.NaN,
        fast: says("speed", "fast"),
        usOnly: says("inference_geo", "us"),
      }),
    );
  }
  return toCost(sum);
}
