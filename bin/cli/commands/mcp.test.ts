import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { passOnMcp } from "./mcp.mjs";

type Asked = { url: string; headers: IncomingMessage["headers"]; body: { id?: number; method: string } };
type Answer = (asked: Asked, response: ServerResponse) => void;

/** A server that answers messages, and writes down what it was asked. */
async function serverOf(answer: Answer) {
  const asked: Asked[] = [];
  const server = await fakeApi((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const one = { url: request.url ?? "", headers: request.headers, body: JSON.parse(text) };
      asked.push(one);
      answer(one, response);
    });
  });
  return { server, asked };
}

/** The command, with what an assistant writes to it and what it has answered. */
function started(
  server: Parameters<typeof passOnMcp>[0],
  {
    redact = true,
    findServer = async () => server,
  }: { redact?: boolean; findServer?: () => Promise<typeof server> } = {},
) {
  const from = new PassThrough();
  const lines: unknown[] = [];
  const ended = passOnMcp(server, { redact }, findServer, from, (line) => {
    expect(line.indexOf("\n")).toBe(line.length - 1);
    lines.push(JSON.parse(line));
  });
  const write = (message: object | string) =>
    from.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  const close = () => {
    from.end();
    return ended;
  };
  return { write, lines, close };
}

const inJson: Answer = ({ body }, response) => {
  if (body.id === undefined) return response.writeHead(202).end();
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: body.id, result: body.method }));
};

test("each message is a request, and each answer a line; notifications have none", async () => {
  const { server, asked } = await serverOf(inJson);
  const { write, lines, close } = started({ ...server, pid: 1 } as typeof server);
  write({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
  write({ jsonrpc: "2.0", method: "notifications/initialized" });
  write("");
  write({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  await close();
  expect(lines).toHaveLength(2);
  expect(lines).toContainEqual({ jsonrpc: "2.0", id: 1, result: "initialize" });
  expect(lines).toContainEqual({ jsonrpc: "2.0", id: 2, result: "tools/list" });
  expect(asked).toHaveLength(3);
  for (const { url, headers } of asked) {
    expect(url).toBe("/api/mcp?redact=1&links=1");
    expect(headers).toMatchObject({ authorization: "Bearer t", "content-type": "application/json" });
    expect(headers["mcp-method"]).toBeUndefined();
  }
});

test("a message of the revision of 2026 has its headers; a server of one's own has no pages to link to", async () => {
  const { server, asked } = await serverOf(inJson);
  const { write, close } = started(server, { redact: false });
  const version = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search", _meta: version } });
  await close();
  expect(asked[0]?.url).toBe("/api/mcp?redact=0&links=0");
  expect(asked[0]?.headers).toMatchObject({
    ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "search" },
  });
});

test("a message of which no header can be made is the server's to refuse, and no reason to look for another", async () => {
  const { server, asked } = await serverOf(inJson);
  const findServer = vi.fn(async () => server);
  const { write, lines, close } = started(server, { findServer });
  const of = (version: string) => ({ _meta: { "io.modelcontextprotocol/protocolVersion": version } });
  write({ jsonrpc: "2.0", id: 1, method: "tools/\u2028list\n", params: of("2026-07-28") });
  write({ jsonrpc: "2.0", id: 2, method: "ping", params: of("\u2028\n") });
  await close();
  expect(lines.map((line) => (line as { id: number }).id).sort((a, b) => a - b)).toEqual([1, 2]);
  expect(asked).toHaveLength(2);
  expect(findServer).not.toHaveBeenCalled();
});

test("a stream of messages is a line each, as they come", async () => {
  let end = () => {};
  const { server } = await serverOf((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(': ping\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
    end = () => response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });
  const { write, lines, close } = started(server);
  write({ jsonrpc: "2.0", id: 1, method: "tools/call" });
  await expect.poll(() => lines).toEqual([{ jsonrpc: "2.0", method: "notifications/progress" }]);
  end();
  await close();
  expect(lines.slice(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
});

test("a stream that never ends does not keep the command from ending", async () => {
  const { server } = await serverOf((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}\n\n');
  });
  const { write, lines, close } = started(server);
  write({ jsonrpc: "2.0", id: "listen:0", method: "subscriptions/listen" });
  await expect.poll(() => lines.length).toBe(1);
  await close();
  expect(lines).toHaveLength(1);
});

test("what the server refuses, and what is no JSON, is an error of JSON-RPC", async () => {
  const { server } = await serverOf((_, response) => {
    response.writeHead(413, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        error: { code: "body-too-large", message: "A body has at most 64 KiB.", hint: "Send less." },
      }),
    );
  });
  const { write, lines, close } = started(server);
  write("{");
  write({ jsonrpc: "2.0", id: "a", method: "tools/call" });
  await close();
  expect(lines).toEqual([
    { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "This line is not valid JSON" } },
    { jsonrpc: "2.0", id: "a", error: { code: -32_603, message: "A body has at most 64 KiB. Send less." } },
  ]);
});

test("what is cancelled ends at the server, and has no answer", async () => {
  const gone = vi.fn();
  const { server, asked } = await serverOf((_, response) => response.on("close", gone));
  const { write, lines, close } = started(server);
  write({ jsonrpc: "2.0", id: 7, method: "tools/call" });
  await expect.poll(() => asked.length).toBe(1);
  write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  await close();
  await expect.poll(() => gone.mock.calls.length).toBe(1);
  expect([lines, asked.length]).toEqual([[], 1]);
});

test("when the server has ended, another one is asked from then on", async () => {
  const dead = { host: "127.0.0.1", port: 9, basePath: "", token: "t" };
  const { server, asked } = await serverOf(inJson);
  const findServer = vi.fn(async () => server);
  const { write, lines, close } = started(dead, { findServer });
  write({ jsonrpc: "2.0", id: 1, method: "a" });
  write({ jsonrpc: "2.0", id: 2, method: "b" });
  await expect.poll(() => lines.length).toBe(2);
  write({ jsonrpc: "2.0", id: 3, method: "c" });
  await close();
  expect([asked.length, findServer.mock.calls.length]).toEqual([3, 1]);
});

test("where there is no other either, its requests are told so", async () => {
  const dead = { host: "127.0.0.1", port: 9, basePath: "", token: "t" };
  const { write, lines, close } = started(dead, {
    findServer: () => Promise.reject(new Error("the port is taken")),
  });
  write({ jsonrpc: "2.0", id: 1, method: "a" });
  await close();
  expect(lines).toEqual([
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_603, message: "Backscroll cannot be asked: the port is taken" },
    },
  ]);
});
