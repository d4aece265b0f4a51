import { request } from "node:http";
import type { Random } from "@/lib/testing/generate/random";
import { EXPORT_FORMAT_IDS } from "@/lib/wire/export-formats.mjs";
import { SESSION_SORTS } from "@/lib/wire/library-columns";
import type { BenchServer } from "../harness/server";

/** Ids for requests, all taken from the server's own answers. */
type Known = { session: string; records: string[]; blocks: string[]; agents: string[]; branches: string[] };

/** A request, either read to its end, or aborted after some bytes or milliseconds as by a closed tab. */
type Mixed = {
  route: string;
  path: string;
  stream?: boolean;
  leaveAfterBytes?: number;
  leaveAfterMs?: number;
};

/** Requests per route. `failed` counts 5xx responses and lost connections, which no such request may cause. */
export type RouteCount = { requests: number; failed: number };

const GIVE_UP_AFTER_MS = 60_000;
const WORDS = ["error", "retry", "the", "cache", "src", "zzzz", "git status", "tool:Bash", "is:error", "e"];
const DETAILS = ["prompts", "conversation", "tools", "everything"];
const PAGES = ["/", "/search?q=error", "/now", "/doctor"];

/** Random requests over all routes of a server, with ids of its sessions. A seed determines the sequence of routes. */
export class MixedRequests {
  readonly counts = new Map<string, RouteCount>();
  readonly #server: BenchServer;
  readonly #random: Random;
  readonly #sessions: readonly string[];
  readonly #projects: readonly string[];
  readonly #known = new Map<string, Known>();

  constructor(server: BenchServer, random: Random, sessions: readonly string[], projects: readonly string[]) {
    this.#server = server;
    this.#random = random;
    this.#sessions = sessions;
    this.#projects = projects;
  }

  /** Sends one request and reads or aborts the response. Never throws: failures are counted. */
  async one(): Promise<void> {
    const request = this.#choose(await this.#ids());
    const count = this.counts.get(request.route) ?? { requests: 0, failed: 0 };
    this.counts.set(request.route, count);
    count.requests += 1;
    if (!(await this.#send(request))) count.failed += 1;
  }

  /** A random session with ids of its records, taken from its rows and fetched once. */
  async #ids(): Promise<Known> {
    const session = this.#pick(this.#sessions) ?? "";
    const known = this.#known.get(session);
    if (known) return known;
    const at = `/api/sessions/${session}`;
    const rows = await this.#server.get<{ rows: { key: string }[] }>(
      `${at}/rows?detail=everything&count=200`,
    );
    const agents = await this.#server.get<{ agents: { agentId: string }[] }>(`${at}/agents`);
    const branches = await this.#server.get<{ branches: { id: string }[] }>(`${at}/branches`);
    const blocks = (rows?.rows ?? []).map(({ key }) => key);
    const found: Known = {
      session,
      blocks,
      records: [...new Set(blocks.map((key) => key.split(".")[0] ?? ""))].filter((id) => id.includes("~")),
      agents: (agents?.agents ?? []).map(({ agentId }) => agentId),
      branches: (branches?.branches ?? []).map(({ id }) => id),
    };
    if (rows) this.#known.set(session, found);
    return found;
  }

  #choose({ session, records, blocks, agents, branches }: Known): Mixed {
    const random = this.#random;
    const at = `/api/sessions/${session}`;
    const record = this.#pick(records) ?? "m~0";
    const [called = "m~0", block = "0"] = (this.#pick(blocks) ?? "m~0.0").split(".");
    const view = new URLSearchParams({ detail: this.#pick(DETAILS) ?? "tools" });
    if (random.chance(0.3)) view.set("fold", `${random.int(1, 5)}-${random.int(6, 20)}`);
    if (random.chance(0.3)) view.set("runs", "folded");
    const agent = this.#pick(agents);
    const branch = this.#pick(branches);
    if (agent && random.chance(0.3)) view.set("agent", agent);
    else if (branch && random.chance(0.4)) view.set("branch", branch);
    const word = encodeURIComponent(this.#pick(WORDS) ?? "");
    const scope = random.chance(0.4) ? `&session=${session}` : "";
    const project = random.chance(0.3) ? `&project=${this.#pick(this.#projects) ?? ""}` : "";
    const choices: Mixed[] = [
      { route: "health", path: "/api/health" },
      { route: "projects", path: "/api/projects" },
      {
        route: "sessions",
        path: `/api/sessions?sort=${this.#pick(SESSION_SORTS)}&limit=${random.int(1, 200)}${project}&q=${random.chance(0.5) ? word : ""}`,
      },
      { route: "session", path: at },
      { route: "branches", path: `${at}/branches` },
      { route: "agents", path: `${at}/agents` },
      { route: "files", path: `${at}/files` },
      { route: "graph", path: `${at}/graph` },
      { route: "segment", path: `${at}/graph?segment=${record}&holds=${random.int(0, 50)}` },
      { route: "minimap", path: `${at}/graph?rows=1&${view}` },
      { route: "errors", path: `${at}/errors?${view}` },
      { route: "outline", path: `${at}/outline?from=${random.int(0, 50)}&count=50` },
      { route: "brief", path: `${at}/turns/${random.int(1, 20)}/brief` },
      { route: "related", path: `${at}/related` },
      { route: "rows", path: `${at}/rows?from=${random.int(0, 2000)}&count=${random.int(1, 200)}&${view}` },
      { route: "rows around", path: `${at}/rows?around=${record}&count=100&${view}` },
      { route: "record", path: `${at}/records/${record}` },
      { route: "raw record", path: `${at}/records/${record}?raw=1` },
      { route: "blob", path: `${at}/records/${record}/blobs/0` },
      { route: "call", path: `${at}/calls/${called}?block=${block}` },
      { route: "messages", path: `${at}/messages?at=${record}` },
      { route: "export", path: `${at}/export?format=${this.#pick(EXPORT_FORMAT_IDS)}` },
      {
        route: "export, left",
        path: `${at}/export?format=${this.#pick(EXPORT_FORMAT_IDS)}`,
        leaveAfterBytes: random.int(1, 500_000),
      },
      { route: "search", path: `/api/search?q=${word}${scope}${project}&limit=${random.int(1, 200)}` },
      {
        route: "search stream",
        path: `/api/search?q=${word}${scope}${project}`,
        stream: true,
        leaveAfterMs: random.int(5, 2_000),
      },
      {
        route: "events",
        path: `/api/events?session=${session}&${view}`,
        stream: true,
        leaveAfterMs: random.int(5, 3_000),
      },
      { route: "now", path: "/api/now" },
      { route: "page", path: random.chance(0.5) ? `/sessions/${session}` : (this.#pick(PAGES) ?? "/") },
    ];
    // It reads every file, so it is rare, as in real use.
    if (random.chance(0.01)) return { route: "doctor", path: "/api/doctor" };
    return this.#pick(choices) as Mixed;
  }

  /** False if the server failed: it answered 5xx, dropped the connection, or sent nothing for a minute. */
  #send({ path, stream, leaveAfterBytes, leaveAfterMs }: Mixed): Promise<boolean> {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${this.#server.token}`,
        ...(stream ? { accept: "text/event-stream" } : {}),
      };
      const asked = request(this.#server.url + path, { headers, timeout: GIVE_UP_AFTER_MS });
      let hasLeft = false;
      const leave = () => {
        hasLeft = true;
        asked.destroy();
      };
      const timer = leaveAfterMs === undefined ? undefined : setTimeout(leave, leaveAfterMs);
      const end = (holds: boolean) => {
        clearTimeout(timer);
        resolve(holds);
      };
      asked.on("timeout", () => asked.destroy());
      asked.on("error", () => end(hasLeft));
      asked.on("close", () => end(hasLeft));
      asked.on("response", (response) => {
        let bytes = 0;
        response.on("data", (part: Buffer) => {
          bytes += part.byteLength;
          if (leaveAfterBytes !== undefined && bytes >= leaveAfterBytes) leave();
        });
        response.on("end", () => end((response.statusCode ?? 500) < 500));
        response.on("error", () => end(hasLeft));
      });
      asked.end();
    });
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : from[this.#random.int(0, from.length - 1)];
  }
}
