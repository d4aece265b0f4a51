import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { drawFirstPage } from "./first-page.mjs";

test("asks for a session's page below the server's path, without a token, and ends with the answer", async () => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no token"}`);
    response.writeHead(200).end("x".repeat(200_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const place = { host: "127.0.0.1", port, basePath: "/logs" };
  expect(await drawFirstPage(place)).toBe(200);
  expect(asked).toEqual(["GET /logs/sessions/00000000-0000-4000-8000-000000000000 no token"]);
  await new Promise((resolve) => server.close(resolve));
  expect(await drawFirstPage(place)).toBeNull();
});
