import type { LiveEvent } from "@/lib/wire/live";

/** Bytes that wait for a slow reader before its stream is ended. */
const MOST_WAITING_BYTES = 1 << 20;
const PING_MS = 15_000;

const encoder = new TextEncoder();
const PING = encoder.encode(": ping\n\n");
const RESYNC = encodeEvent({ kind: "resync" }, null);

/** An event as bytes, made once for all who get it. */
export function encodeEvent(event: LiveEvent, id: string | null): Uint8Array {
  const head = id === null ? "" : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
}

/**
 * One reader's stream. What it does not take waits up to a megabyte; then it is told to ask anew and its
 * stream ends, so that it slows nobody.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #closed: (() => void) | null;
  readonly #ping: NodeJS.Timeout;

  /** @param closed called once, however the stream ends */
  constructor(signal: AbortSignal, closed: () => void) {
    this.#closed = closed;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    );
    this.#ping = setInterval(() => this.send(PING), PING_MS).unref();
    signal.addEventListener("abort", () => this.close(), { once: true });
    if (signal.aborted) this.close();
  }

  get isOpen(): boolean {
    return this.#controller !== null;
  }

  /** Sends bytes that `encodeEvent` made; they are not copied. */
  send(bytes: Uint8Array): void {
    const controller = this.#controller;
    if (!controller) return;
    if ((controller.desiredSize ?? 0) < bytes.byteLength) {
      controller.enqueue(RESYNC);
      this.close();
      return;
    }
    controller.enqueue(bytes);
  }

  close(): void {
    const controller = this.#controller;
    this.#end();
    try {
      controller?.close();
    } catch (error) {
      // Cancelled by the reader in the same moment.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  #end(): void {
    clearInterval(this.#ping);
    this.#controller = null;
    const closed = this.#closed;
    this.#closed = null;
    closed?.();
  }
}
