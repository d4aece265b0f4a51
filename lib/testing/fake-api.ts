import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a command of the terminal asks, with these answers, until the test has finished. */
export async function fakeApi(answer: RequestListener, more: { basePath?: string; token?: string } = {}) {
  const api = createServer(answer);
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    api.close();
    api.closeAllConnections();
  });
  const { port } = api.address() as AddressInfo;
  return { host: "127.0.0.1", port, basePath: "", token: "t", ...more };
}
