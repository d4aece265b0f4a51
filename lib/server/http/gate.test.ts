import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkRequest } from "./gate";
import { allowedHosts } from "./hosts";
import { methodsOf } from "./routes";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
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

  it("knows the methods of every route that there is", () => {
    const app = join(import.meta.dirname, "../../../app");
    const routes = readdirSync(join(app, "api"), { recursive: true, encoding: "utf8" })
      .filter((name) => basename(name) === "route.ts")
      .map((name) => join("/api", dirname(name)).replaceAll("\\", "/"));
    expect(routes.length).toBeGreaterThan(20);
    for (const route of routes) {
      const source = readFileSync(join(app, route, "route.ts"), "utf8");
      const exported = METHODS.filter((method) =>
        new RegExp(`^export\\b.*\\b${method}\\b`, "m").test(source),
      );
      // Next makes HEAD of GET.
      const taken = exported.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
      const pathname = route.replaceAll(/\[+[^/]+/g, "x1");
      expect(`${route}: ${methodsOf(pathname).join(", ")}`).toBe(`${route}: ${taken.join(", ")}`);
    }
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
