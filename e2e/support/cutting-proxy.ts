import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A proxy on its own port. `cuts` counts the streams it has cut; while it is `setDown` all connections are broken, and
 * none is taken.
 */
export type CuttingProxy = {
  url: string;
  cuts: () => number;
  setDown: (isDown: boolean) => void;
  /** From now on each event stream is cut after at most so many bytes; `Infinity`, as at first: none is. */
  cutWithin: (bytes: number) => void;
  stop: () => void;
};

/**
 * Forwards everything to a server, but cuts each event stream after some bytes of the response: inside a header, a line
 * or a character. The sequence of lengths is the same in every run.
 */
export async function startCuttingProxy(serverUrl: () => string): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let seed = 7;
  let isDown = false;
  let maxBytes = Number.POSITIVE_INFINITY;
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((client) => {
    if (isDown) return void client.destroy();
    const server = connect(Number(new URL(serverUrl()).port), "127.0.0.1");
    let left = Number.POSITIVE_INFINITY;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined); // the cut, seen from the other side
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (chunk.includes("GET /api/events")) {
        seed = (seed * 16_807) % 2_147_483_647;
        left = Number.isFinite(maxBytes) ? 1 + (seed % maxBytes) : left;
      }
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      cuts += 1;
      client.destroySoon();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port: own } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    cuts: () => cuts,
    setDown: (down) => {
      isDown = down;
      if (down) breakAll();
    },
    cutWithin: (bytes) => {
      maxBytes = bytes;
    },
    stop: () => {
      proxy.close();
      breakAll();
    },
  };
}
