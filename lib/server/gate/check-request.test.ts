import { describe, expect, it } from "vitest";
import { allowedHosts } from "./allowed-hosts";
import { checkRequest } from "./check-request";

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
    expect(ask({}, { method: "POST" })).toBe("passes");
    expect(ask({}, { method: "OPTIONS" })).toBe("no-cross-origin");
    expect(ask({}, { pathname: "/_next/image" })).toBe("not-found");
  });

  it("takes /API for the API, and /apis for a page", () => {
    const cross = { "sec-fetch-site": "cross-site" };
    expect(ask(cross, { pathname: "/API/health" })).toBe("cross-site");
    expect(ask(cross, { pathname: "/api" })).toBe("cross-site");
    expect(ask(cross, { pathname: "/apis" })).toBe("passes");
  });
});
