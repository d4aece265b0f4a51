import http from "node:http";
import { createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isOwner } from "@/lib/server/http/authorise";
import { checkRequest } from "@/lib/server/http/gate";
import { allowedHosts } from "@/lib/server/http/hosts";
import { publishGate } from "@/lib/server/http/publish-gate";
import { localUrl } from "../running-server.mjs";
import { guardNextServer } from "./guard.mjs";
import { handOn, listenError, listenForOwner, placesOf, portOf } from "./listeners.mjs";

const TOKEN = "0123456789abcdef-0123";

afterEach(() => vi.unstubAllEnvs());

describe("the address that is printed, and that commands ask", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1:4747"],
    ["localhost", "localhost:4747"],
    ["::1", "[::1]:4747"],
    ["127.0.0.2", "127.0.0.2:4747"],
    ["0.0.0.0", "127.0.0.1:4747"],
    ["::", "[::1]:4747"],
    ["0:0:0:0:0:0:0:0", "[::1]:4747"],
    ["192.168.1.5", "127.0.0.1:4747"],
    ["fd00::5", "127.0.0.1:4747"],
    ["fe80::1%eth0", "127.0.0.1:4747"],
  ])("with --host %s is %s, and takes the owner's token", async (given, printed) => {
    const places = await placesOf(given);
    const { host } = new URL(localUrl({ host: places.ownersHost, port: 4747, basePath: "" }));
    expect(host).toBe(printed);
    vi.stubEnv("BACKSCROLL_TOKEN", TOKEN);
    vi.stubEnv("BACKSCROLL_HOST", places.host);
    vi.stubEnv("BACKSCROLL_PORT", "4747");
    const headers = new Headers({ host, authorization: `Bearer ${TOKEN}` });
    expect(isOwner({ headers })).toBe(true);
    expect(
      checkRequest({ method: "GET", pathname: "/api/health", headers }, allowedHosts(process.env)),
    ).toBeNull();
  });

  test("needs a listener of its own where --host gives an address of the network, and nowhere else", async () => {
    const isApart = async (host: string) => (await placesOf(host)).isApart;
    for (const host of ["192.168.1.5", "fd00::5"])
      expect(`${host} ${await isApart(host)}`).toBe(`${host} true`);
    for (const host of ["127.0.0.1", "localhost", "127.0.0.2", "::1", "0.0.0.0", "::", "::0"])
      expect(`${host} ${await isApart(host)}`).toBe(`${host} false`);
  });
});

/** Of the addresses of this machine alone, macOS has only 127.0.0.1; any other stands for one of the network here. */
describe.skipIf(process.platform === "darwin")("listening at another address and for the owner", () => {
  const OTHER = "127.0.0.2";

  function ask(
    host: string,
    port: number,
    headers: Record<string, string> = {},
    method = "GET",
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = http.request(
        { host, port, method, path: "/api/health", headers, agent: false },
        (response) => resolve(`${response.resume().statusCode}`),
      );
      asked.on("error", reject).end();
    });
  }

  async function start() {
    const own = await listenForOwner(OTHER, 0);
    let made: http.Server | undefined;
    guardNextServer((server) => {
      made = server;
    });
    http.createServer((_, response) => response.end());
    const server = made as http.Server;
    await new Promise<void>((resolve) => server.listen(portOf(own), OTHER, resolve));
    vi.stubEnv("BACKSCROLL_TOKEN", TOKEN);
    vi.stubEnv("BACKSCROLL_HOST", OTHER);
    vi.stubEnv("BACKSCROLL_PORT", String(portOf(server)));
    publishGate();
    return { own, server, port: portOf(server) };
  }

  test("port 0 gives both the same port, and both answer behind the same guard and gate", async () => {
    const { own, server, port } = await start();
    expect(portOf(own)).toBe(port);
    handOn(own, server);
    for (const host of [OTHER, "127.0.0.1"]) {
      expect(`${host} ${await ask(host, port)}`).toBe(`${host} 200`);
      expect(`${host} ${await ask(host, port, { host: "evil.example" })}`).toBe(`${host} 403`);
      expect(`${host} ${await ask(host, port, {}, "TRACE")}`).toBe(`${host} 405`);
      expect(`${host} ${await ask(host, port, { connection: "upgrade", upgrade: "x" })}`).toBe(`${host} 403`);
    }
    expect(own.maxConnections).toBe(server.maxConnections);
    own.close();
    server.close();
  });

  test("whoever comes to the owner's address before the server is there is turned away at once", async () => {
    const { own, server, port } = await start();
    await expect(ask("127.0.0.1", port)).rejects.toThrow(/ECONNRESET|hang up/);
    own.close();
    server.close();
  });

  test("streams of both end with the server", async () => {
    const { own, server, port } = await start();
    server.removeAllListeners("request");
    server.on("request", (_, response) => response.write("and so on"));
    handOn(own, server);
    const ends = [OTHER, "127.0.0.1"].map(
      (host) =>
        new Promise<string>((resolve) => {
          http.get({ host, port, agent: false }, (response) => {
            response.once("data", () => resolve(host));
            response.on("error", () => undefined);
          });
        }),
    );
    expect(await Promise.all(ends)).toEqual([OTHER, "127.0.0.1"]);
    const closed = Promise.all(
      [own, server].map((one) => new Promise((resolve) => one.once("close", resolve))),
    );
    own.close();
    server.close();
    server.closeAllConnections();
    await closed;
  });

  test("a port that another program has on this machine is not had, whichever --host is given", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    await expect(listenForOwner(OTHER, portOf(taken))).rejects.toMatchObject({ code: "EADDRINUSE" });
    taken.close();
  });
});

test("an address of a kind that this system does not have is a mistake on the command line", () => {
  const cause = Object.assign(new Error("listen EAFNOSUPPORT ::"), { code: "EAFNOSUPPORT" });
  expect(listenError(cause, "::", 4747).message).toContain(":: is not an address of this machine");
});
