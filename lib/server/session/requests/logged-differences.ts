import { asArray, asObject, asString, type JsonObject, writable } from "@/lib/log/records/json";
import type { Preamble } from "@/lib/log/requests/base-tokens";
import type { LoggedDifference } from "@/lib/log/requests/cache-misses";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import {
  type LoggedRequest,
  type RequestLog,
  requestLog,
} from "@/lib/server/session/request/recorded-request";
import type { MissDifference } from "@/lib/wire/model-requests/session-requests";

const NONE = -1;
/** The number of characters shown of a text, a quarter of them before the first difference. */
const MAX_EXCERPT = 160;

/** The system prompt and tools of a request, each part as the text that matters to the cache. */
type Shape = { record: number; system: string[]; tools: Map<string, string>; size: Preamble };

/** The client's own log of a session's requests (2.1.330), as far as comparing them requires. */
export class LoggedRequests {
  readonly #session: OpenSession;
  readonly #log: RequestLog;
  readonly #shapes: ReadonlyMap<string, Shape>;

  private constructor(session: OpenSession, log: RequestLog, shapes: ReadonlyMap<string, Shape>) {
    this.#session = session;
    this.#log = log;
    this.#shapes = shapes;
  }

  /** True where the client logged requests of the session. */
  static areIn({ table }: OpenSession): boolean {
    return table.types.list.includes("api-request");
  }

  /** Null for a session whose client did not log its requests. */
  static async of(session: OpenSession): Promise<LoggedRequests | null> {
    if (!LoggedRequests.areIn(session)) return null;
    const log = await requestLog(session);
    const read = await readRecords(session, log.shapes.values());
    const shapes = new Map<string, Shape>();
    for (const [hash, record] of log.shapes) {
      const logged = read(record);
      const shape = logged && logged.kind !== "unreadable" ? writable(asObject(logged.json.shape)) : null;
      if (!shape) continue;
      const [system, tools] = [systemOf(shape), toolsOf(shape)];
      const size = { system: lengthOf(system), tools: lengthOf(tools.values()) };
      shapes.set(hash, { record, system, tools, size });
    }
    return new LoggedRequests(session, log, shapes);
  }

  /** The size of a request's system prompt and tools. */
  preamble(ref: string | null): Preamble | null {
    return this.#shapeOf(ref)?.size ?? null;
  }

  /** Every tool that requests declare, with the size of its declaration. */
  tools(refs: Iterable<string>): Map<string, number> {
    const found = new Map<string, number>();
    for (const hash of new Set([...refs].map((ref) => this.#log.requests.get(ref)?.shapeHash))) {
      const shape = hash ? this.#shapes.get(hash) : undefined;
      for (const [name, text] of shape?.tools ?? []) found.set(name, text.length);
    }
    return found;
  }

  /** Compares two requests as `Compare` says. `record`: the later one's answer. */
  compare(before: string | null, ref: string | null, record: number): LoggedDifference | null | undefined {
    const earlier = before === null ? undefined : this.#log.requests.get(before);
    const later = ref === null ? undefined : this.#log.requests.get(ref);
    if (!earlier || !later) return undefined;
    return (
      this.#shapesDiffer(earlier, later) ??
      settingsDiffer(earlier, later, record) ??
      this.#messagesDiffer(earlier, later, record)
    );
  }

  /** The parts of a message that differ, as texts: read for the few requests that missed. */
  async describe(
    found: LoggedDifference,
    before: string | null,
    ref: string | null,
  ): Promise<MissDifference | null> {
    const place = found.difference?.message;
    if (place === undefined) return found.difference;
    const records = [before, ref].map((one) => {
      const request = this.#log.requests.get(one ?? "");
      return this.#log.blobs.get((request && this.#hashes(request)[place]) ?? "") ?? NONE;
    });
    const read = await readRecords(this.#session, records);
    const [was, is] = records.map((record) => {
      const logged = read(record);
      return logged && logged.kind !== "unreadable" ? messageText(asObject(logged.json.message)) : null;
    });
    return { ...found.difference, ...excerpts(was ?? null, is ?? null) };
  }

  #shapeOf(ref: string | null): Shape | null {
    const hash = ref === null ? null : this.#log.requests.get(ref)?.shapeHash;
    return (hash && this.#shapes.get(hash)) || null;
  }

  #shapesDiffer(earlier: LoggedRequest, later: LoggedRequest): LoggedDifference | null {
    if (earlier.shapeHash === later.shapeHash) return null;
    const [was, is] = [this.#shapeOf(earlier.id), this.#shapeOf(later.id)];
    if (!was || !is) return null;
    const at = { record: is.record, block: NONE };
    const added = [...is.tools.keys()].filter((name) => !was.tools.has(name));
    const removed = [...was.tools.keys()].filter((name) => !is.tools.has(name));
    const changed = [...is.tools].flatMap(([name, text]) =>
      was.tools.has(name) && was.tools.get(name) !== text ? [name] : [],
    );
    if (added.length + removed.length + changed.length > 0)
      return { cause: "tools", ...at, difference: { added, removed, changed } };
    if ([...is.tools.keys()].join("\n") !== [...was.tools.keys()].join("\n"))
      return { cause: "order", ...at, difference: null };
    const part = is.system.findIndex((text, nth) => text !== was.system[nth]);
    if (part === -1 && is.system.length === was.system.length) return null;
    const nth = part === -1 ? is.system.length : part;
    const difference = excerpts(was.system[nth] ?? "", is.system[nth] ?? "");
    return { cause: "system", record: is.record, block: nth, difference };
  }

  /** Everything that the earlier request sent must be there again, in its place. */
  #messagesDiffer(earlier: LoggedRequest, later: LoggedRequest, record: number): LoggedDifference | null {
    const [had, has] = [this.#hashes(earlier), this.#hashes(later)];
    const same = had.findIndex((hash, place) => hash !== has[place]);
    if (same === -1) return null;
    const [was, is] = [had[same] as string, has[same]];
    const isMoved = is !== undefined && has.includes(was, same + 1) && had.includes(is, same + 1);
    return {
      cause: isMoved ? "order" : "block",
      record: this.#log.blobs.get(is ?? "") ?? record,
      block: 0,
      difference: { message: same },
    };
  }

  /** The hashes of a request's messages: from each request that it builds on, as many as it keeps. */
  #hashes(request: LoggedRequest): string[] {
    const chain = new Set<LoggedRequest>();
    for (let at: LoggedRequest | undefined = request; at && !chain.has(at); ) {
      chain.add(at);
      at = at.base === null ? undefined : this.#log.requests.get(at.base);
    }
    const hashes: string[] = [];
    for (const { keep, tail } of [...chain].reverse()) {
      hashes.length = Math.max(0, Math.min(hashes.length, Math.trunc(keep)));
      for (const hash of tail) hashes.push(hash);
    }
    return hashes;
  }
}

/** Thinking and effort are part of the key under which messages are cached. */
function settingsDiffer(
  earlier: LoggedRequest,
  later: LoggedRequest,
  record: number,
): LoggedDifference | null {
  for (const name of ["thinking", "output_config", "tool_choice", "speed"]) {
    const [before, after] = [earlier, later].map(({ params }) => JSON.stringify(params?.[name] ?? null));
    if (before === undefined || after === undefined || before === after) continue;
    return {
      cause: "settings",
      record,
      block: NONE,
      difference: { before: `${name}: ${before}`, after: `${name}: ${after}` },
    };
  }
  return null;
}

/** Tools by name; a tool that is only loaded when it is searched for (`defer_loading`) is not in the cached part. */
function toolsOf(shape: JsonObject): Map<string, string> {
  const tools = new Map<string, string>();
  for (const one of asArray(shape.tools)) {
    const tool = asObject(one);
    if (!tool || tool.defer_loading === true) continue;
    tools.set(
      asString(tool.name) ?? asString(tool.type) ?? "tool",
      JSON.stringify({ ...tool, cache_control: undefined }),
    );
  }
  return tools;
}

function lengthOf(texts: Iterable<string>): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

function systemOf(shape: JsonObject): string[] {
  if (typeof shape.system === "string") return [shape.system];
  return asArray(shape.system)
    .map((part) => asString(asObject(part)?.text) ?? "")
    .filter((text) => !text.startsWith("x-anthropic-billing-header"));
}

function messageText(message: JsonObject | null): string | null {
  if (!message) return null;
  if (typeof message.content === "string") return message.content;
  return asArray(message.content)
    .map((block) => asString(asObject(block)?.text) ?? JSON.stringify(writable(block)))
    .join("\n");
}

/** The two texts around the first character that differs. */
function excerpts(was: string | null, is: string | null): MissDifference {
  const [before, after] = [was ?? "", is ?? ""];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - MAX_EXCERPT / 4);
  const cut = (text: string) =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + MAX_EXCERPT)}${text.length > from + MAX_EXCERPT ? "…" : ""}`;
  return {
    ...(was === null ? {} : { before: cut(before) }),
    ...(is === null ? {} : { after: cut(after) }),
  };
}
