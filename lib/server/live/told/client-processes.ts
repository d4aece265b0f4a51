import { readdirSync, readlinkSync, statSync } from "node:fs";
import { faultCode } from "@/lib/server/disk/file-fault";
import { slugOf } from "@/lib/server/disk/folder-entries";
import { PROC, processStat, readProcess } from "./processes";

/** A process that is a client, and when it began: its pid may be given to another one later. */
export type ClientProcess = { pid: number; startTicks: string };

/** A client calls itself so when it has started up: until then it is asked again what it is. */
const STARTS_UP_MS = 20_000;

/** What was listed so lately is not listed again. A client takes longer from its start to its first line. */
const LISTED_MS = 250;

type Listed = ClientProcess & { slug: string | null };
type Asked = { firstMs: number; client: Listed | null };

/**
 * The clients that run here, with the folder that each works in, by what Linux tells of its processes. Without a registry
 * (all versions up to 2.1.55) nothing says which session is whose. None is found on other systems.
 */
export class ClientProcesses {
  readonly #proc: string;
  readonly #asked = new Map<number, Asked>();
  #listed: { atMs: number; clients: Listed[] } | null = null;

  constructor(proc = PROC) {
    this.#proc = proc;
  }

  /**
   * The clients that may write logs of the project whose folder has this name: a client keeps its own working directory
   * where its commands go elsewhere (2.0.76, 2.1.42). `null` where one cannot be told: its directory may not be looked at,
   * and it might write here.
   */
  in(slug: string, nowMs = Date.now()): ClientProcess[] | null {
    const clients = this.#list(nowMs);
    if (clients.some((client) => client.slug === null)) return null;
    return clients.filter((client) => client.slug === slug);
  }

  /** All that run here, whatever folder each works in. */
  all(nowMs = Date.now()): readonly ClientProcess[] {
    return this.#list(nowMs);
  }

  #list(nowMs: number): Listed[] {
    const isFresh = this.#listed !== null && Math.abs(nowMs - this.#listed.atMs) < LISTED_MS;
    const clients = isFresh && this.#listed ? this.#listed.clients : this.#look(nowMs);
    this.#listed = isFresh ? this.#listed : { atMs: nowMs, clients };
    return clients;
  }

  #look(nowMs: number): Listed[] {
    const pids = new Set(pidsIn(this.#proc));
    for (const pid of this.#asked.keys()) if (!pids.has(pid)) this.#asked.delete(pid);
    return [...pids].flatMap((pid) => {
      const known = this.#asked.get(pid);
      const isKnown = known && (known.client !== null || nowMs - known.firstMs > STARTS_UP_MS);
      if (isKnown && isSame(known, pid, this.#proc)) return known.client ?? [];
      const client = this.#clientOf(pid);
      this.#asked.set(pid, { firstMs: known?.firstMs ?? nowMs, client });
      return client ?? [];
    });
  }

  #clientOf(pid: number): Asked["client"] {
    const stat = processStat(pid, this.#proc);
    if (!stat || !isClient(pid, this.#proc)) return null;
    const cwd = linkOf(pid, "cwd", this.#proc);
    if (cwd === null && !mayWriteHere(pid, this.#proc)) return null;
    return { pid, startTicks: stat.startTicks, slug: cwd === null ? null : slugOf(cwd) };
  }
}

/** What is no client is taken to be the same process as before: to look costs more than all else. */
function isSame({ client }: Asked, pid: number, proc: string): boolean {
  return client === null || processStat(pid, proc)?.startTicks === client.startTicks;
}

/** Its title is `claude` (1.0.128 to 2.1.42, run by Node); a client in one file is called so, or lies among its versions. */
function isClient(pid: number, proc: string): boolean {
  if (readProcess(pid, "comm", proc)?.trim() === "claude") return true;
  const [first = "", second = ""] = readProcess(pid, "cmdline", proc)?.split("\0") ?? [];
  return [first, second].some((word) =>
    /(^|\/)claude(-code\/cli\.js|\.exe)?$|\/claude\/versions\//.test(word),
  );
}

/** Of another account's client: none but the system's own writes into logs that are not its own. */
function mayWriteHere(pid: number, proc: string): boolean {
  try {
    const { uid } = statSync(`${proc}/${pid}`);
    return uid === 0 || uid === process.getuid?.();
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return false; // ended meanwhile
  }
}

function linkOf(pid: number, name: string, proc: string): string | null {
  try {
    return readlinkSync(`${proc}/${pid}/${name}`);
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return null;
  }
}

function pidsIn(proc: string): number[] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync(proc).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return [];
  }
}
