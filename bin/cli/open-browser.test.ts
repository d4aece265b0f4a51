import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { openBrowser } from "./open-browser.mjs";

const policy = vi.hoisted(() => ({ forbids: false }));

vi.mock("node:child_process", async (actual) => {
  const real = await actual<typeof import("node:child_process")>();
  const spawn = (...args: Parameters<typeof real.spawn>) => {
    if (policy.forbids)
      throw Object.assign(new Error("spawn UNKNOWN"), { code: "UNKNOWN", syscall: "spawn" });
    return real.spawn(...args);
  };
  return { ...real, spawn };
});

const TOKEN = "a-token-that-nobody-else-may-see";
const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", linux: "xdg-open" };
const opener = OPENERS[process.platform];

let folder: string;
let isTTY: PropertyDescriptor | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-open-"));
  isTTY = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
});

afterEach(() => {
  if (isTTY) Object.defineProperty(process.stdout, "isTTY", isTTY);
  else Reflect.deleteProperty(process.stdout, "isTTY");
  rmSync(folder, { recursive: true, force: true });
});

/** In place of the system's: it writes down what it was told to open. */
function standIn(): { env: Record<string, string>; opened: () => string } {
  const file = join(folder, "opened");
  const program = join(folder, opener ?? "");
  writeFileSync(program, `#!/bin/sh\nprintf %s "$*" > "${file}.part" && mv "${file}.part" "${file}"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, DISPLAY: ":0" };
  return { env, opened: () => readFileSync(file, "utf8") };
}

/** A server with this answer for everything, and what it was asked. */
async function serving(answer: object) {
  const asked: string[] = [];
  const respond: RequestListener = (request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  };
  return { at: await fakeApi(respond, { basePath: "/logs", token: TOKEN }), asked };
}

test.skipIf(opener === undefined)("a browser is opened with a ticket, never with the token", async () => {
  const { at, asked } = await serving({ ticket: "good-once" });
  const { env, opened } = standIn();
  await openBrowser(at, "/sessions/x?at=m~1", env);
  const url = await vi.waitFor(opened, 5_000);
  expect(url).toBe(`http://127.0.0.1:${at.port}/logs/sessions/x?at=m~1#ticket=good-once`);
  expect(asked).toEqual([`POST /logs/api/tickets Bearer ${TOKEN} {"path":"/api/token"}`]);
});

test.skipIf(opener === undefined)("nothing is asked where no browser is to be opened", async () => {
  const { at, asked } = await serving({ ticket: "good-once" });
  const { env } = standIn();
  await openBrowser(at, "/", { ...env, CI: "1" });
  Object.defineProperty(process.stdout, "isTTY", { value: false, configurable: true });
  await openBrowser(at, "/", env);
  expect(asked).toEqual([]);
});

test.skipIf(opener === undefined)(
  "a browser that a policy of Windows forbids to open fails no start",
  async () => {
    const { at, asked } = await serving({ ticket: "good-once" });
    policy.forbids = true;
    await openBrowser(at, "/", standIn().env);
    policy.forbids = false;
    expect(asked).toHaveLength(1);
  },
);
