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
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`event: ${value.kind}\ndata: ${JSON.stringify(value)}\n\n`));
      } catch (error) {
        console.error(error);
        controller.error(error);
      }
    },
    async cancel() {
      await events.return(undefined);
    },
  });
  return eventStreamResponse(body);
}
