import { EXPORTED, type ExportedBlob, type ExportedSession, withAgentPlaces } from "@/lib/wire/exported";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { CallDetail, RecordDetail } from "@/lib/wire/record";
import type { BlobRef, Row } from "@/lib/wire/rows";
import type { AgentEntry, TurnBrief } from "@/lib/wire/session";
import { ExportedThread } from "./exported-thread";

/** The contents of an exported file (`lib/wire/exported.ts`). An element is read when it is requested. */
export class ExportedFile {
  readonly #page: Document;
  readonly session: ExportedSession;
  /** An agent's index among those of the session, and its index among those of the file. */
  readonly #agentPlaces: ReadonlyMap<number, number>;
  readonly #threads = new Map<AgentId | null, ExportedThread>();
  /** Outputs that were searched: every find searches them again. */
  readonly #outputs = new Map<string, string>();

  /** Throws for a document that is no exported file. */
  constructor(page: Document) {
    this.#page = page;

    const session = this.#value<ExportedSession>(EXPORTED.session);
    if (!session) throw new Error("The file contains no session: it was not written completely.");
    this.session = session;
    this.#agentPlaces = new Map(session.agentPlaces.map((place, index) => [place, index]));
  }

  /**
   * A thread; `null` if the file has none of this agent. If the session's own log is gone its first agent's is used
   * instead, as on its page.
   */
  thread(agent: AgentId | null): ExportedThread | null {
    const known = this.#threads.get(agent);
    if (known) return known;
    const elements = this.#page.querySelectorAll(`script[data-rows="${CSS.escape(EXPORTED.rows(agent))}"]`);
    const [first] = this.session.agents;
    if (elements.length === 0 && agent !== null) return null;
    if (first && agent === null && this.session.logGone) return this.thread(first.agentId);
    const rows = Array.from(elements).flatMap((one) => JSON.parse(one.textContent ?? "[]") as Row[]);
    const thread = new ExportedThread(rows.map((row) => withAgentPlaces(row, this.#agentPlaces)));
    this.#threads.set(agent, thread);
    return thread;
  }

  /** The agents without a row that leads to them: no known call started them. */
  looseAgents(): AgentEntry[] {
    const shown = this.session.logGone ? this.session.agents[0] : null;
    return this.session.agents.filter((one) => one.parentRecordId === null && one !== shown);
  }

  /** The session's own thread, then those of its agents. */
  *threads(): Generator<[AgentId | null, ExportedThread]> {
    const agents = this.session.agents.map(({ agentId }) => agentId);
    for (const agent of this.session.logGone ? agents : [null, ...agents]) {
      const thread = this.thread(agent);
      if (thread) yield [agent, thread];
    }
  }

  call(recordId: RecordId, block: number): CallDetail | null {
    return this.#value<CallDetail>(EXPORTED.call(recordId, block));
  }

  /** The same as JSON: searching that costs less than reading it. */
  callText(recordId: RecordId, block: number): string {
    return this.#text(EXPORTED.call(recordId, block)) ?? "";
  }

  record(recordId: RecordId): RecordDetail | null {
    return this.#value<RecordDetail>(EXPORTED.record(recordId));
  }

  line(recordId: RecordId): string | null {
    return this.#value<string>(EXPORTED.line(recordId));
  }

  lineText(recordId: RecordId): string {
    return this.#text(EXPORTED.line(recordId)) ?? "";
  }

  brief(turn: number): TurnBrief | null {
    return this.#value<TurnBrief>(EXPORTED.brief(turn));
  }

  blob(ref: Pick<BlobRef, "recordId" | "n">): Blob | null {
    const blob = this.#value<ExportedBlob>(EXPORTED.blob(ref));
    if (!blob) return null;
    return new Blob([fromBase64(blob.base64)], { type: blob.mediaType ?? "application/octet-stream" });
  }

  /** An output that the client saved to a file of its own. */
  outputText(ref: Pick<BlobRef, "recordId" | "n">): string | null {
    const id = EXPORTED.blob(ref);
    const known = this.#outputs.get(id);
    if (known !== undefined) return known;
    const blob = this.#value<ExportedBlob>(id);
    if (!blob) return null;
    const text = new TextDecoder().decode(fromBase64(blob.base64));
    this.#outputs.set(id, text);
    return text;
  }

  /** The source of the highlighter's worker. */
  highlighter(): Promise<string> {
    const packed = new Blob([fromBase64(this.#value<string>(EXPORTED.highlighter) ?? "")]);
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  #value<Value>(id: string): Value | null {
    const text = this.#text(id);
    return text === null ? null : (JSON.parse(text) as Value);
  }

  #text(id: string): string | null {
    return this.#page.getElementById(id)?.textContent ?? null;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
