import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { ErrorBody, Health, ProjectsResponse, SessionsResponse } from "@/lib/wire/library";
import { CHALLENGE_HEADER, PROOF_HEADER } from "@/lib/wire/proof.mjs";
import { GET as getAnything } from "./[[...rest]]/route";
import { GET as getEvents } from "./events/route";
import { GET as getHealth } from "./health/route";
import { GET as getProjects } from "./projects/route";
import { GET as getBlob } from "./sessions/[id]/records/[recordId]/blobs/[n]/route";
import { GET as getRecord } from "./sessions/[id]/records/[recordId]/route";
import { GET as getSession } from "./sessions/[id]/route";
import { GET as getRows } from "./sessions/[id]/rows/route";
import { GET as getSessions } from "./sessions/route";

const TOKEN = "a-token-for-these-tests";
const FIXTURE = fixtureFolder("2.0.76");

// Sessions are scanned in worker threads that only exist in a build; here only the routes are under test.
vi.mock("@/lib/server/session/sessions", () => ({
  createSessions: () => ({
    summarize: async () => ({
      turns: 1,
      toolCalls: 2,
      toolErrors: 0,
      agentCount: 0,
      tokens: 3,
      activity: null,
    }),
    detail: async () => ({ scanning: { bytesDone: 1, bytesTotal: 2 } }),
    rows: async (_id: string, query: object) => query,
    record: async () => {
      throw new ViewerError("record-not-found", "There is no such record", { hint: "Look elsewhere." });
    },
    rawRecord: async () => ({ stream: new Response("the line").body, bytes: 8 }),
    blob: async (_id: string, _recordId: string, n: number) => ({
      bytes: new Uint8Array([1, 2, 3]),
      mediaType: ["image/png", "image/svg+xml", null][n],
    }),
  }),
}));

// Indexing and search run in this thread, for the same reason.
vi.mock("@/lib/server/index/library-index", async (load) => {
  const real = await load<typeof import("@/lib/server/index/library-index")>();
  return { ...real, startLibraryIndex: real.openLibraryIndex };
});
vi.mock("@/lib/server/search/search", async (load) => {
  const real = await load<typeof import("@/lib/server/search/search")>();
  return { ...real, startSearch: real.openSearch };
});

beforeAll(() => {
  vi.stubEnv("BACKSCROLL_TOKEN", TOKEN);
  vi.stubEnv("BACKSCROLL_ROOTS", JSON.stringify([{ path: FIXTURE, kind: "config" }]));
  vi.stubEnv("BACKSCROLL_VERSION", "1.2.3");
});

function request(path: string, token: string | null = TOKEN): Request {
  return new Request(`http://127.0.0.1:4747${path}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
}

async function refusal(response: Response): Promise<string> {
  const { error } = (await response.json()) as ErrorBody;
  return `${response.status} ${error.code}: ${error.message}. ${error.hint}`;
}

/** However busy the machine is. */
const PATIENT = { timeout: 300_000 };

async function settled(): Promise<Health> {
  return vi.waitFor(async () => {
    const health = (await (await getHealth(request("/api/health"))).json()) as Health;
    expect(health.indexing.done).toBe(true);
    return health;
  }, PATIENT);
}

const context = <T extends object>(params: T) => ({ params: Promise.resolve(params) });

describe("every route", () => {
  it("wants the token, and is never cached", async () => {
    for (const token of [null, "another-token-of-this-kind"]) {
      const response = await getHealth(request("/api/health", token));
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await refusal(response)).toContain("401 unauthorised");
    }
    expect((await getProjects(request("/api/projects"))).headers.get("cache-control")).toBe("no-store");
  });

  it("shows who asks without the token that it knows it, for their challenge and this host alone", async () => {
    const challenge = "0123456789abcdef".repeat(2);
    const prove = async (headers: Record<string, string>) => {
      const asked = new Request("http://127.0.0.1:4747/api/health", { headers });
      const answer = await getHealth(asked);
      return [answer.status, answer.headers.get(PROOF_HEADER)];
    };
    const hmac = createHmac("sha256", TOKEN).update(`${challenge} 127.0.0.1:4747`).digest("hex");
    const host = "127.0.0.1:4747";
    expect(await prove({ host, [CHALLENGE_HEADER]: challenge })).toEqual([204, hmac]);
    // A token that is not good is refused, whatever is asked beside it.
    const authorization = "Bearer another-token-of-this-kind";
    expect(await prove({ host, [CHALLENGE_HEADER]: challenge, authorization })).toEqual([401, hmac]);
    expect((await prove({ host: "127.0.0.1:1", [CHALLENGE_HEADER]: challenge }))[1]).not.toBe(hmac);
    expect(await prove({ host })).toEqual([401, null]);
    expect(await prove({ host, [CHALLENGE_HEADER]: "a word" })).toEqual([401, null]);
  });

  it("answers an unknown address with JSON", async () => {
    expect(await refusal(await getAnything(request("/api/nothing/here")))).toMatch(/^404 no-such-endpoint/);
    expect((await getAnything(request("/api/nothing", null))).status).toBe(401);
  });
});

describe("the library", () => {
  it("is listed and scanned in the background", async () => {
    const health = await settled();
    expect(health).toMatchObject({ version: "1.2.3", roots: [FIXTURE], warnings: [], demo: false });
    expect(health.indexing.filesDone).toBe(health.indexing.filesTotal);

    const { projects } = (await (await getProjects(request("/api/projects"))).json()) as ProjectsResponse;
    expect(projects.map((project) => project.path)).toContain("/home/dev/tui-basic");

    const one = (await (
      await getSessions(request("/api/sessions?q=renamed&limit=1"))
    ).json()) as SessionsResponse;
    expect(one).toMatchObject({ total: 1, nextCursor: null });
    expect(one.sessions[0]).toMatchObject({
      title: "my renamed session",
      titleSource: "custom",
      indexed: true,
      turns: 1,
    });
  });

  it("points at what a filter says wrong, and looks for it as a word", async () => {
    const listed = async (q: string) =>
      (await (
        await getSessions(request(`/api/sessions?q=${encodeURIComponent(q)}`))
      ).json()) as SessionsResponse;
    expect(await listed("renamed")).toMatchObject({ total: 1, problems: [] });
    expect(await listed("renamed is:foo")).toMatchObject({
      total: 0,
      problems: [
        {
          from: 8,
          to: 14,
          message:
            "is: needs one of error, denied, running, abandoned, compacted, unanswered, starred, hidden",
        },
      ],
    });
    expect((await listed("/re[named/")).problems).toEqual([
      { from: 0, to: 10, message: expect.stringMatching(/^Not a regular expression: /) },
    ]);
  });

  it("says which parameter is wrong", async () => {
    expect(await refusal(await getSessions(request("/api/sessions?sort=size")))).toBe(
      '400 bad-parameter: The parameter "sort" is not valid. Allowed is one of active, started, title, bytes, turns, tools, errors, tokens, cost.',
    );
  });
});

describe("a session", () => {
  it("answers 202 while it is scanned", async () => {
    const response = await getSession(request("/api/sessions/x"), context({ id: "x" }));
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ scanning: { bytesDone: 1, bytesTotal: 2 } });
  });

  it("passes a checked window on", async () => {
    const rows = await getRows(
      request("/api/sessions/x/rows?detail=prompts&fold=2-4&around=m~1k9"),
      context({ id: "x" }),
    );
    expect(await rows.json()).toMatchObject({
      detail: "prompts",
      fold: [2, 3, 4],
      around: "m~1k9",
      count: 100,
      agent: null,
    });
    const outside = await getRows(request("/api/sessions/x/rows"), context({ id: "../../etc" }));
    expect(await refusal(outside)).toContain('400 bad-parameter: The parameter "id"');
  });

  it("names what is not there", async () => {
    const params = context({ id: "x", recordId: "m~0" });
    expect(await refusal(await getRecord(request("/api/sessions/x/records/m~0"), params))).toBe(
      "404 record-not-found: There is no such record. Look elsewhere.",
    );
  });

  it("sends raw lines and blobs so that no browser runs them", async () => {
    const raw = await getRecord(
      request("/api/sessions/x/records/m~0?raw=1"),
      context({ id: "x", recordId: "m~0" }),
    );
    expect(await raw.text()).toBe("the line");
    expect(raw.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const types: string[] = [];
    for (const n of ["0", "1", "2"]) {
      const { headers } = await getBlob(request(`/api/b/${n}`), context({ id: "x", recordId: "m~0", n }));
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      types.push(`${headers.get("content-type")} ${headers.get("content-disposition")}`);
    }
    expect(types).toEqual([
      "image/png inline",
      "application/octet-stream attachment",
      "application/octet-stream attachment",
    ]);
  });
});

describe("a HEAD request", () => {
  it("opens no stream that would stay open for ever", async () => {
    const { headers } = request("/api/events");
    const asked = () =>
      getEvents(new Request("http://127.0.0.1:4747/api/events", { method: "HEAD", headers }));
    for (let times = 0; times < 201; times++) {
      const { status, body } = await asked();
      expect([times, status, body]).toEqual([times, 200, null]);
    }
  });
});

describe("a bug", () => {
  it("is a 500 that tells nothing of the inside", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const params = { params: Promise.reject(new Error("secret /path")) };
    const response = await getSession(request("/api/sessions/x"), params);
    expect(await refusal(response)).toBe(
      "500 internal-error: Backscroll failed to answer. This is a bug. The terminal that runs Backscroll shows where.",
    );
    expect(logged).toHaveBeenCalledOnce();
  });
});
