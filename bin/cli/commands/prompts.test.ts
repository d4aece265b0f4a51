import { resolve } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { printedBy } from "@/lib/testing/printed";
import { formatPrompts, printPrompts } from "./prompts.mjs";

const DONE = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
const SESSION = "0a1b2c3d-0000-4000-8000-000000000001";

function used(text: string, more: object = {}): Parameters<typeof formatPrompts>[0][number] {
  const last = {
    atMs: new Date(2026, 10, 19, 14, 2).getTime(),
    sessionId: SESSION,
    recordId: "m~0",
    title: "A session",
    projectId: "0a1b2c",
    projectPath: "/home/dev/shop",
  };
  const one = { id: text, text, length: text.length, uses: 1, sessions: 1, gone: 0, firstAtMs: 0, last };
  return { ...one, ...more } as unknown as Parameters<typeof formatPrompts>[0][number];
}

/** What the command prints, and what it asks of the list; until it was asked twice that is not complete. */
async function printed(options: Partial<Parameters<typeof printPrompts>[1]>, prompts = [used("Fix it")]) {
  const asked: URLSearchParams[] = [];
  const server = await fakeApi(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/api/prompts") asked.push(searchParams);
    const from = Number(searchParams.get("cursor") ?? 0);
    const to = from + Number(searchParams.get("limit"));
    const complete = asked.length > 1;
    const answers: Record<string, object> = {
      "/api/health": { indexing: DONE, warnings: [] },
      "/api/projects": { projects: [{ id: "0a1b2c", path: "/home/dev/shop" }] },
      "/api/prompts": {
        prompts: complete ? prompts.slice(from, to) : [],
        total: prompts.length,
        nextCursor: complete && to < prompts.length ? String(to) : null,
        complete,
        problems: [],
      },
    };
    response.end(JSON.stringify(answers[pathname]));
  });
  const all = { query: "", from: null, to: null, project: null, limit: 50, json: false };
  const texts = await printedBy(() => printPrompts(server, { ...all, ...options }));
  return { ...texts, asked };
}

it("lists what was typed once all sessions have been looked through, a line a prompt", async () => {
  const { out, err, asked } = await printed({}, [
    used("Fix the\nflaky\u001b[31m  test", { uses: 3 }),
    used("Draw it", {
      length: 900,
      last: { ...used("").last, sessionId: null, projectPath: "C:\\dev\\till" },
    }),
  ]);
  expect(out.split("\n")).toEqual([
    "2026-11-19 14:02  shop  0a1b2c3d  Fix the flaky [31m test  (3 times)",
    "2026-11-19 14:02  till  log gone  Draw it…",
    "",
  ]);
  expect(err).toBe("");
  expect(asked).toHaveLength(2);
});

it("asks for words, days by the caller's clock and a project by its id or its folder", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const project of ["0a1b2c", "/home/dev/shop/"]) {
    const asked = { query: "retry in:prompt", from: "2026-11-01", to: "2026-11-30" };
    const [first] = (await printed({ ...asked, project: [project, resolve(project)] })).asked;
    expect(Object.fromEntries(first ?? [])).toEqual({
      ...{ q: "retry in:prompt", from: "2026-11-01", to: "2026-11-30" },
      ...{ project: "0a1b2c", zone: "Asia/Tokyo", limit: "50" },
    });
  }
  await expect(printed({ project: ["/home/dev/other"] })).rejects.toThrow("no project has the id");
  await expect(printed({ from: "2026-11-30", to: "2026-11-01" })).rejects.toThrow(
    "--from 2026-11-30 is later than --to 2026-11-01.",
  );
});

it("asks for further pages, and says beside the lines that there are more", async () => {
  const many = Array.from({ length: 2_400 }, (_, nth) => used(`Prompt ${nth}`));
  const { out, err, asked } = await printed({ limit: 2_300 }, many);
  expect(out.split("\n")).toHaveLength(2_301);
  expect(out).toMatch(/Prompt 2299\n$/);
  expect(err).toBe("2,300 of 2,400 prompts; a larger --limit shows more.\n");
  expect(asked.map((one) => one.get("limit"))).toEqual(["1000", "1000", "1000", "300"]);
});

it("prints as JSON an object a line, and nothing where there is none", async () => {
  const { out } = await printed({ json: true }, [used("Fix\nit"), used("Draw it")]);
  const lines = out.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).text)).toEqual(["Fix\nit", "Draw it"]);
  expect((await printed({ json: true }, [])).out).toBe("");
  expect((await printed({}, [])).out).toBe("No prompts found.\n");
});
