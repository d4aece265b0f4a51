/** A stream of server-sent events that no proxy and no compression holds back. */
export function eventStreamResponse(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** Events as such a stream. The reader's leaving ends the generator. */
export function eventResponse(events: AsyncGenerator<{ kind: string }>): Response {
  const toText = (event: { kind: string }) => `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
  return eventStreamResponse(streamOf(events, toText));
}

/**
 * What a generator yields as a stream of bytes, made as it is read. The reader's leaving ends the generator, also
 * while it makes the next piece, which then goes nowhere. What it throws breaks the stream off.
 */
export function streamOf<T>(
  pieces: AsyncGenerator<T>,
  toBytes: (piece: T) => string | Uint8Array,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let hasLeft = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        // A stream that was cancelled meanwhile takes no more, and says so by throwing.
        if (hasLeft) return;
        if (done) {
          controller.close();
          return;
        }
        const bytes = toBytes(value);
        controller.enqueue(typeof bytes === "string" ? encoder.encode(bytes) : bytes);
      } catch (error) {
        if (!hasLeft) console.error(error);
        controller.error(error);
      }
    },
    async cancel() {
      hasLeft = true;
      await pieces.return(undefined);
    },
  });
}
