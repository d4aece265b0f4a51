import { beforeAll, describe, expect, it, vi } from "vitest";
import { examine } from "@/lib/server/doctor/examine";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { DoctorAnswer } from "@/lib/wire/doctor";
import type { ErrorBody } from "@/lib/wire/library";
import type { ScanProgress } from "@/lib/wire/session";
import { GET } from "./route";

const TOKEN = "a-token-for-these-tests";
const SESSION = "0b000000-0000-4000-8000-00000000bbb1";

// Worker threads only exist in a build; here only the route is under test.
vi.mock("@/lib/server/runtime/worker-thread", () => ({
  WorkerThread: class {
    ask = examine;
  },
}));
vi.mock("@/lib/server/http/state", () => {
  const path = fixtureFolder("older");
  const catalog = new Catalog([{ path, kind: "config" }]);
  const warnings = [
    { code: "annotations-damaged", message: "1 line can’t be read", hint: "It stays.", path: "/a" },
  ];
  const history = { path: "/b/history.jsonl", bytes: 90, lines: 3, prompts: 1, commands: 1 };
  const prompts = {
    histories: async () => [{ ...history, unknown: 0, unreadable: 1, torn: true, problem: null }],
  };
  const scanner = { run: () => undefined };
  const state = { catalog, warnings, activity: new RequestActivity(), scanner, prompts };
  return { getState: () => state };
});

beforeAll(() => {
  vi.stubEnv("BACKSCROLL_TOKEN", TOKEN);
});

function ask(query = "", token: string | null = TOKEN): Promise<Response> {
  const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
  return GET(new Request(`http://127.0.0.1:4747/api/doctor${query}`, { headers }));
}

/** However busy the machine is. */
const PATIENT = { timeout: 300_000 };

async function report(query = ""): Promise<DoctorAnswer> {
  return vi.waitFor(async () => {
    const answer = (await (await ask(query)).json()) as DoctorAnswer | ScanProgress;
    if ("scanning" in answer) throw new Error("still examining");
    return answer;
  }, PATIENT);
}

describe("GET /api/doctor", () => {
  it("tells as JSON, too, what is wrong with files of its own, but not with each session", async () => {
    expect((await report()).warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "annotations-damaged /a",
    ]);
    expect((await report(`?session=${SESSION}`)).warnings).toEqual([]);
  });

  it("counts what the client’s histories of prompts hold, but not with each session", async () => {
    expect((await report()).histories).toMatchObject([{ lines: 3, prompts: 1, unreadable: 1, torn: true }]);
    expect((await report(`?session=${SESSION}`)).histories).toEqual([]);
    const line =
      "/b/history.jsonl: 3 lines, 1 prompt, 1 command, 1 unreadable, the last line is incomplete, 90 B";
    expect(await (await ask("?format=text")).text()).toContain(`\nhistories of prompts\n  ${line}\n`);
  });

  it("reports on all sessions", async () => {
    const { session, sessions, files, unreadable } = await report();
    expect({ session, sessions, files, unreadable }).toEqual({
      session: null,
      sessions: 5,
      files: 6,
      unreadable: 0,
    });
  });

  it("reports on one, with its title", async () => {
    const { session, files, tools } = await report(`?session=${SESSION}`);
    expect({ session, files }).toEqual({ session: { id: SESSION, title: "Fix the login" }, files: 1 });
    expect(tools.map(({ name, total }) => `${name} ${total}`)).toEqual([
      "Bash 2",
      "Edit 1",
      "Grep 1",
      "Read 1",
    ]);
  });

  it("says in text what of Backscroll's own files cannot be read, where it reports on all", async () => {
    const own = "\nwarnings\n  /a: 1 line can’t be read. It stays.\n";
    expect(await (await ask("?format=text")).text()).toContain(own);
    expect(await (await ask(`?session=${SESSION}&format=text`)).text()).not.toContain(own);
  });

  it("answers in text, as the command prints it", async () => {
    const response = await ask(`?session=${SESSION}&format=text`);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await response.text()).split("\n").slice(0, 2)).toEqual([
      `session ${SESSION} “Fix the login”`,
      "",
    ]);
  });

  it("wants the token, a known session and a known format", async () => {
    const refusals = await Promise.all(
      [ask("", null), ask("?session=nobody"), ask("?format=yaml")].map(async (asked) => {
        const response = await asked;
        return `${response.status} ${((await response.json()) as ErrorBody).error.code}`;
      }),
    );
    expect(refusals).toEqual(["401 unauthorised", "404 session-not-found", "400 bad-parameter"]);
  });
});
