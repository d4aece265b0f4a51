import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { nameFilesBelow } from "./base-path.mjs";

let server: http.Server;

afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Asks a server that answers thus, as Next would, below `/logs`. */
async function answerOf(
  type: string,
  parts: string[],
  path = "/sessions/x?at=1",
  headers: Record<string, string> = {},
): Promise<{ text: string; headers: Headers }> {
  server = http.createServer((request, response) => {
    nameFilesBelow(request, response, "/logs");
    response.setHeader("content-type", type);
    response.setHeader("x-range", request.headers.range ?? "none");
    if (path.endsWith(".js")) response.setHeader("content-length", parts.join("").length);
    response.flushHeaders();
    const [last = "", ...others] = parts.reverse();
    for (const part of others.reverse()) response.write(part);
    response.end(last);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { text: await response.text(), headers: response.headers };
}

test("names Next's files below the path: in markup, in its data, in scripts, wherever a part ends", async () => {
  const markup =
    '<script src="/_next/static/a.js"></script><script>f([1,"b:\\"/_next/static/b.js\\"é"])</script>';
  const named =
    '<script src="/logs/_next/static/a.js"></script><script>f([1,"b:\\"/logs/_next/static/b.js\\"é"])</script>';
  for (const cut of [1, 14, 16, 20, 70])
    expect((await answerOf("text/html; charset=utf-8", [markup.slice(0, cut), markup.slice(cut)])).text).toBe(
      named,
    );
  const script = await answerOf(
    "application/javascript",
    ['k="/_next/";', 'url("a/_next/")'],
    "/_next/static/a.js",
  );
  expect(script.text).toBe('k="/logs/_next/";url("a/_next/")');
});

test("tells the router which page an address below the path is", async () => {
  const data = await answerOf("text/x-component", ['4:"/_next/static/a.js"\n'], undefined, { rsc: "1" });
  expect(data.text).toBe('4:"/logs/_next/static/a.js"\n');
  expect(data.headers.get("x-nextjs-rewritten-path")).toBe("/sessions/x");
});

test("leaves all else as it is, and answers whole files", async () => {
  const text = '"/_next/static/a.js"';
  expect((await answerOf("text/html", [text], "/api/sessions/x/export")).text).toBe(text);
  expect((await answerOf("image/svg+xml", [text])).text).toBe(text);
  expect((await answerOf("text/css", [text], undefined, { range: "bytes=0-3" })).headers.get("x-range")).toBe(
    "none",
  );
});
