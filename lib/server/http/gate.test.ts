import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkRequest } from "./gate";
import { allowedHosts, isOwnersHost, shareAddresses } from "./hosts";

const env = {
  BACKSCROLL_PORT: "4747",
  BACKSCROLL_HOST: "127.0.0.1",
  BACKSCROLL_ALLOW_HOSTS: '["Box.example","tunnel.example:8443"]',
};

function ask(headers: Record<string, string>, { method = "GET", pathname = "/api/health" } = {}) {
  const all = new Headers({ host: "127.0.0.1:4747", ...headers });
  return checkRequest({ method, pathname, headers: all }, allowedHosts(env))?.code ?? "passes";
}

describe("allowedHosts", () => {
  const names = (settings: Record<string, string>) => allowedHosts(settings).map(({ host }) => host);

  it("knows loopback by three names, with the port", () => {
    const loopback = ["127.0.0.1:4747", "localhost:4747", "[::1]:4747"];
    expect(names({ BACKSCROLL_PORT: "4747" })).toEqual(loopback);
    expect(names({ BACKSCROLL_PORT: "4747", BACKSCROLL_HOST: "0.0.0.0" })).toEqual(loopback);
  });

  it("leaves the port out on port 80 alone", () => {
    expect(names({ BACKSCROLL_PORT: "80" })).toContain("localhost");
    expect(names({ BACKSCROLL_PORT: "8080" })).not.toContain("localhost");
  });

  it("takes the owner's token at an address in the network only where that was named", () => {
    const lan = { BACKSCROLL_PORT: "1", BACKSCROLL_HOST: "192.168.7.5" };
    const isOwners = (host: string, more = {}) => isOwnersHost(host, allowedHosts({ ...lan, ...more }));
    expect(isOwners("192.168.7.5:1")).toBe(false);
    expect(isOwners("localhost:1")).toBe(true);
    expect(isOwners("192.168.7.5:1", { BACKSCROLL_ALLOW_HOSTS: '["192.168.7.5"]' })).toBe(true);
  });

  it("knows at which addresses a link opens, and where it goes in the clear", () => {
    const at = (settings: Record<string, string>) =>
      shareAddresses(allowedHosts(settings)).map(
        ({ origin, kind, encrypted }) => `${kind} ${origin} ${encrypted}`,
      );
    expect(
      at({ BACKSCROLL_PORT: "7", BACKSCROLL_HOST: "10.0.0.2", BACKSCROLL_ALLOW_HOSTS: '["box.example"]' }),
    ).toEqual([
      "loopback http://127.0.0.1:7 false",
      "loopback http://localhost:7 false",
      "loopback http://[::1]:7 false",
      "network http://10.0.0.2:7 false",
      "name https://box.example true",
      "name http://box.example:7 false",
    ]);
  });

  it("adds the address it listens on, and the names it was given", () => {
    expect(names({ BACKSCROLL_PORT: "1", BACKSCROLL_HOST: "fd00::5" })).toContain("[fd00::5]:1");
    expect(names(env).slice(3)).toEqual(["box.example", "box.example:4747", "tunnel.example:8443"]);
  });
});

describe("checkRequest", () => {
  it.each([
    [{ host: "127.0.0.1:4747" }, "passes"],
    [{ host: "LOCALHOST:4747" }, "passes"],
    [{ host: "box.example" }, "passes"],
    [{ host: "127.0.0.1" }, "host-not-allowed"],
    [{ host: "127.0.0.1:4748" }, "host-not-allowed"],
    [{ host: "127.1:4747" }, "host-not-allowed"],
    [{ host: "evil@127.0.0.1:4747" }, "host-not-allowed"],
    [{ host: "tunnel.example" }, "host-not-allowed"],
    [{ origin: "http://127.0.0.1:4747" }, "passes"],
    [{ origin: "http://localhost:4747" }, "origin-not-allowed"],
    [{ origin: "https://127.0.0.1:4747" }, "origin-not-allowed"],
    [{ origin: "null" }, "origin-not-allowed"],
    [{ host: "box.example", origin: "https://box.example" }, "passes"],
    [{ host: "box.example", origin: "https://tunnel.example:8443" }, "origin-not-allowed"],
    [{ "sec-fetch-site": "same-origin" }, "passes"],
    [{ "sec-fetch-site": "same-site" }, "cross-site"],
    [{ "sec-fetch-site": "cross-site" }, "cross-site"],
    [{ "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, "passes"],
    [{ "sec-fetch-site": "none", "sec-fetch-mode": "no-cors" }, "cross-site"],
    [{ "next-action": "x" }, "not-found"],
  ])("%o %s", (headers, code) => {
    expect(ask(headers)).toBe(code);
  });

  it("lets anyone link to a page, and nobody send one anything", () => {
    const page = { pathname: "/sessions/1" };
    expect(ask({ "sec-fetch-site": "cross-site" }, page)).toBe("passes");
    expect(ask({}, { ...page, method: "POST" })).toBe("method-not-allowed");
    expect(ask({}, { ...page, method: "OPTIONS" })).toBe("no-cross-origin");
    expect(ask({}, { method: "POST", pathname: "/api/tickets" })).toBe("passes");
    expect(ask({}, { method: "OPTIONS" })).toBe("no-cross-origin");
    expect(ask({}, { pathname: "/_next/image" })).toBe("not-found");
  });

  it("takes /API for the API, and /apis for a page", () => {
    const cross = { "sec-fetch-site": "cross-site" };
    expect(ask(cross, { pathname: "/API/health" })).toBe("cross-site");
    expect(ask(cross, { pathname: "/api" })).toBe("cross-site");
    expect(ask(cross, { pathname: "/apis" })).toBe("passes");
  });

  it("names the methods that an address takes to whoever comes with another", () => {
    const answer = (method: string, pathname: string) => {
      const headers = new Headers({ host: "127.0.0.1:4747" });
      const refusal = checkRequest({ method, pathname, headers }, allowedHosts(env));
      return refusal ? `${refusal.status} ${refusal.allow ?? refusal.code}` : "passes";
    };
    expect(answer("TRACE", "/")).toBe("405 GET, HEAD");
    expect(answer("PROPFIND", "/_next/static/chunks/a.js")).toBe("405 GET, HEAD");
    expect(answer("DELETE", "/api/health")).toBe("405 GET, HEAD");
    expect(answer("GET", "/api/tickets")).toBe("405 POST");
    expect(answer("TRACE", "/api/tickets/")).toBe("405 POST");
    expect(answer("OPTIONS", "/api/tickets")).toBe("403 no-cross-origin");
  });
});

describe("a body", () => {
  const token = "0123456789abcdef-0123";
  const post = { method: "POST", pathname: "/api/tickets" };
  const bearer = { authorization: `Bearer ${token}` };

  beforeEach(() => vi.stubEnv("BACKSCROLL_TOKEN", token));
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ["65536 bytes with the token", { ...bearer, "content-length": "65536" }, post, "passes"],
    ["none", { "content-length": "0" }, { pathname: "/" }, "passes"],
    ["a length that is not known yet", { ...bearer, "transfer-encoding": "chunked" }, post, "passes"],
    ["one byte more", { ...bearer, "content-length": "65537" }, post, "body-too-large"],
    ["no token", { "content-length": "1" }, post, "unauthorised"],
    ["a share's token", { authorization: `Bearer share~${token}`, "content-length": "1" }, post, "passes"],
    [
      "a share's token where only the owner may",
      { authorization: `Bearer share~${token}`, "content-length": "1" },
      { method: "POST", pathname: "/api/shares" },
      "unauthorised",
    ],
    ["another token", { authorization: `Bearer ${token}x`, "content-length": "1" }, post, "unauthorised"],
    [
      "a foreign origin",
      { ...bearer, origin: "http://a.b", "content-length": "1" },
      post,
      "origin-not-allowed",
    ],
    ["a GET", { ...bearer, "content-length": "1" }, {}, "body-not-taken"],
    ["a HEAD in pieces", { "transfer-encoding": "chunked" }, { method: "HEAD" }, "body-not-taken"],
    ["a page", { "content-length": "12000000" }, { pathname: "/" }, "body-not-taken"],
    ["another route", { ...bearer, "content-length": "1" }, { method: "PUT" }, "method-not-allowed"],
  ])("is judged by the headers: %s", (_, headers, request, code) => {
    expect(ask(headers as Record<string, string>, request)).toBe(code);
  });
});
