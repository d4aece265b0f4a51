import type { Page } from "@playwright/test";

/**
 * To be called before a page is opened. What it resolves to waits until a stream of the page has brought an event with
 * an id: what is written from then on comes through that stream. The event is behind the hello, and nothing on the page
 * shows it.
 */
export async function joinedStream(page: Page): Promise<() => Promise<void>> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const texts = new Map<string, string>();
  const joined = new Promise<void>((resolve) => {
    const take = (stream: string, base64 = "") => {
      const text = `${texts.get(stream) ?? ""}${Buffer.from(base64, "base64").toString("latin1")}`;
      texts.set(stream, text);
      if (/^id: /m.test(text)) resolve();
    };
    const readBegun = async (requestId: string) => {
      take(requestId);
      const { bufferedData } = await network.send("Network.streamResourceContent", { requestId });
      take(requestId, bufferedData);
    };
    network.on("Network.responseReceived", ({ requestId, response }) => {
      const isStream = new URL(response.url).pathname.endsWith("/api/events");
      // One that has ended meanwhile is followed by another.
      if (isStream) readBegun(requestId).catch(() => undefined);
    });
    network.on("Network.dataReceived", ({ requestId, data }) => {
      if (texts.has(requestId)) take(requestId, data);
    });
  });
  return async () => {
    await joined;
    await network.detach();
  };
}
