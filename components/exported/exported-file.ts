import { EXPORTED, type ExportedBlob, type ExportedSession } from "@/lib/wire/exported";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { CallDetail, RecordDetail } from "@/lib/wire/record";
import type { BlobRef, Row } from "@/lib/wire/rows";
import type { TurnBrief } from "@/lib/wire/session";
import { ExportedThread } from "./exported-thread";

/** What an exported file holds (`lib/wire/exported.ts`). An element is read when it is asked for. */
export class ExportedFile {
  readonly session: ExportedSession;
  readonly #threads = new Map<AgentId | null, ExportedThread>();

  /** Throws for a document that is no exported file. */
  constructor(private readonly page: Document) {
    const session = this.#value<ExportedSession>(EXPORTED.session);
    if (!session) throw new Error("The file holds no session: it was not written to its end.");
    this.session = session;
  }

  /** A thread; `null` where the file has none of this agent. */
  thread(agent: AgentId | null): ExportedThread | null {
    const known = this.#threads.get(agent);
    if (known) return known;
    const elements = this.page.querySelectorAll(`script[data-rows="${CSS.escape(EXPORTED.rows(agent))}"]`);
    if (elements.length === 0 && agent !== null) return null;
    const thread = new ExportedThread(
      Array.from(elements).flatMap((one) => JSON.parse(one.textContent ?? "[]") as Row[]),
    );
    this.#threads.set(agent, thread);
    return thread;
  }

  /** The session's own thread, then those of its agents. */
  *threads(): Generator<[AgentId | null, ExportedThread]> {
    for (const agent of [null, ...this.session.agents.map(({ agentId }) => agentId)]) {
      const thread = this.thread(agent);
      if (thread) yield [agent, thread];
    }
  }

  call(recordId: RecordId, block: number): CallDetail | null {
    return this.#value<CallDetail>(EXPORTED.call(recordId, block));
  }

  /** The same as JSON: looking through that costs less than reading it. */
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
    return this.page.getElementById(id)?.textContent ?? null;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
