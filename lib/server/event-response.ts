/** Events as a stream that no proxy and no compression holds back. The reader's leaving ends the generator. */
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
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
