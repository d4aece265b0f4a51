import { resolve } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { printedBy } from "@/lib/testing/printed";
import { printUsage } from "./usage.mjs";

const USAGE = { rows: [], totals: { requests: 0, input: 0, output: 0, cacheRead: 0 } };

/** What the API is asked for usage, for a project that is called so. */
async function askedFor(project: string): Promise<string | undefined> {
  const asked: string[] = [];
  const server = await fakeApi(({ url = "" }, response) => {
    asked.push(url);
    const projects = [
      { id: "0a1b2c", path: "/home/dev/shop" },
      { id: "3d4e5f", path: "C:\\dev\\shop" },
    ];
    const indexing = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
    response.end(JSON.stringify({ indexing, warnings: [], projects, ...USAGE }));
  });
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => stdout.mockRestore());
  await printUsage(server, { query: "by=day", project: [project, resolve(project)], by: "day", json: true });
  return asked.at(-1);
}

it("takes a project by its id or its folder, and refuses one that there is not", async () => {
  for (const project of ["0a1b2c", "/home/dev/shop", "/home/dev/shop/"])
    expect(await askedFor(project)).toContain("&project=0a1b2c");
  for (const project of ["C:\\dev\\shop", "c:\\dev\\shop"])
    expect(await askedFor(project)).toContain("&project=3d4e5f");
  await expect(askedFor("/home/dev/other")).rejects.toThrow(
    "no project has the id or the folder /home/dev/other. backscroll usage --by project lists them.",
  );
});

it("asks for days by the clock of who calls, which is not always the running server's", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await askedFor("0a1b2c")).toBe("/api/usage?by=day&zone=Asia%2FTokyo&project=0a1b2c");
});

it("takes no range that ends before it begins, in which nothing was used", async () => {
  const server = { host: "127.0.0.1", port: 1, basePath: "", token: "" };
  const query = "by=day&from=2026-11-30&to=2026-11-01";
  await expect(printUsage(server, { query, project: null, by: "day", json: false })).rejects.toThrow(
    "--from 2026-11-30 is later than --to 2026-11-01.",
  );
});

it("lists the costliest prompts once every session has been looked through", async () => {
  const asked: string[] = [];
  const one = {
    sessionId: "0a1b2c3d-0000-4000-8000-000000000001",
    prompt: "Fix the\u001b[31m flaky retry test",
    atMs: new Date(2026, 10, 19, 14, 2).getTime(),
    durationMs: 93_400,
    input: 1000,
    output: 200,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 34,
    costMicroUsd: 1_234_500,
    unpricedTokens: 0,
  };
  const server = await fakeApi(({ url = "" }, response) => {
    asked.push(url);
    const indexing = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
    const complete = asked.filter((path) => path.startsWith("/api/usage/prompts")).length > 1;
    const totals = { prompts: 7, tokens: 99_000, costMicroUsd: null, unpricedTokens: 5 };
    const answer = { indexing, warnings: [], prompts: [one], totals, pricesAsOf: "2026-11-24", complete };
    response.end(JSON.stringify(answer));
  });
  const { out } = await printedBy(() =>
    printUsage(server, { query: "by=prompt&from=2026-11-01", project: null, by: "prompt", json: false }),
  );
  expect(asked.at(-1)).toMatch(/^\/api\/usage\/prompts\?from=2026-11-01&zone=/);
  expect(out.split("\n")).toEqual([
    "prompt                         session   when              tokens  seconds      cost",
    "Fix the [31m flaky retry test  0a1b2c3d  2026-11-19 14:02   1,234       93   $1.2345",
    "total of 7                                                 99,000           unpriced",
    "API-equivalent, at prices of 2026-11-24; a prompt’s agents count with it.",
    "",
  ]);
});

it("has a line for each row, whatever a branch is called, and none is wider than the terminal is likely to be", async () => {
  const counts = { requests: 1, input: 2, output: 3, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  const row = { ...counts, costMicroUsd: 0, unpricedTokens: 0 };
  const rows = [
    { ...row, name: "main\ntotal  9\u2028" },
    { ...row, name: "x".repeat(4096) },
  ];
  const server = await fakeApi((_, response) => {
    const indexing = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
    response.end(JSON.stringify({ indexing, warnings: [], rows, totals: row, pricesAsOf: "2026-11-24" }));
  });
  const { out } = await printedBy(() =>
    printUsage(server, { query: "by=branch", project: null, by: "branch", json: false }),
  );
  const lines = out.split("\n");
  expect(lines.map((line) => line.slice(0, 12).trim())).toEqual([
    "branch",
    "main total",
    "xxxxxxxxxxxx",
    "total",
    "API-equivale",
    "",
  ]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(200);
});
