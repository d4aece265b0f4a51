import { readProcess } from "./processes";

/**
 * A shell in which a client here runs a command of the model's, or of its person's (`!`). The client tells of neither
 * before the call's line, which it writes 100 to 300 ms after it began, nor of its end before the result's, as late.
 */
export type ClientShell = {
  command: string;
  /** When it was seen first, and the look before that; `null` where there was none: it may be of any age. */
  seenAtMs: number;
  afterMs: number | null;
  /** When it was found to have ended. The client knows of that: until then its system keeps the process for it. */
  endedAtMs: number | null;
};

/** So long what a client's shells tell is taken for news. What its log has not said by then, it does not mean. */
export const SHELL_NEWS_MS = 1_500;
/** So often a new process is asked what it is: at first it is a copy of its client. */
const MAX_ASKED = 8;
const MAX_COMMAND_BYTES = 64 << 10;

type Client = {
  lookedAtMs: number;
  shells: Map<number, ClientShell>;
  /** Other processes, as MCP servers, and how often each was asked. */
  others: Map<number, number>;
  /** When something that was news is none any longer. */
  dueAtMs: number;
};

/**
 * The shells that clients run commands in, from what Linux tells of their processes. Nothing is known on other systems,
 * nor of commands in a sandbox. Seen of 2.0.76, 2.1.42, 2.1.170, 2.1.330 and 2.1.332.
 */
export class ClientShells {
  readonly #clients = new Map<number, Client>();

  /** Of a client, as of the last look: those that run, and those that have ended just now. */
  of(pid: number | null): readonly ClientShell[] {
    return pid === null ? [] : [...(this.#clients.get(pid)?.shells.values() ?? [])];
  }

  /**
   * Looks at these clients, and forgets all others. Returns those of which something has changed or is news no longer. Each
   * costs the reading of one small file, and two more for a process that is new.
   * @param pids of processes that run here
   */
  look(pids: ReadonlySet<number>, nowMs = Date.now()): ReadonlySet<number> {
    const changed = new Set<number>();
    for (const pid of this.#clients.keys()) if (!pids.has(pid)) this.#clients.delete(pid);
    for (const pid of pids) {
      const children = childrenOf(pid);
      if (children === null) this.#clients.delete(pid);
      else if (this.#lookAt(pid, children, nowMs)) changed.add(pid);
    }
    return changed;
  }

  #lookAt(pid: number, children: ReadonlySet<number>, nowMs: number): boolean {
    const known = this.#clients.get(pid);
    const client = known ?? { lookedAtMs: nowMs, shells: new Map(), others: new Map(), dueAtMs: Infinity };
    this.#clients.set(pid, client);
    const { shells, others } = client;
    let isChanged = client.dueAtMs <= nowMs;
    for (const [child, shell] of shells) {
      if (shell.endedAtMs === null && !children.has(child)) {
        shells.set(child, { ...shell, endedAtMs: nowMs });
        isChanged = true;
      } else if (shell.endedAtMs !== null && nowMs - shell.endedAtMs >= SHELL_NEWS_MS) shells.delete(child);
    }
    for (const child of others.keys()) if (!children.has(child)) others.delete(child);
    for (const child of children) {
      const asked = others.get(child) ?? 0;
      if (shells.get(child)?.endedAtMs === null || asked >= MAX_ASKED) continue;
      const command = commandOf(child);
      if (command === null) others.set(child, asked + 1);
      else {
        const afterMs = known ? client.lookedAtMs : null;
        shells.set(child, { command, seenAtMs: nowMs, afterMs, endedAtMs: null });
        others.delete(child);
        isChanged = true;
      }
    }
    client.lookedAtMs = nowMs;
    const due = [...shells.values()].map((shell) => (shell.endedAtMs ?? shell.seenAtMs) + SHELL_NEWS_MS);
    client.dueAtMs = Math.min(Infinity, ...due.filter((atMs) => atMs > nowMs));
    return isChanged;
  }
}

/**
 * The processes that a client has started. It starts them from its first thread (2.1.170, 2.1.332). `null` where the system
 * does not tell, or the client has ended.
 */
function childrenOf(pid: number): ReadonlySet<number> | null {
  const text = readProcess(pid, `task/${pid}/children`);
  return text === null ? null : new Set(text.split(" ").filter(Boolean).map(Number));
}

function commandOf(pid: number): string | null {
  const text = readProcess(pid, "cmdline");
  return text === null || text.length > MAX_COMMAND_BYTES ? null : commandIn(text.split("\0"));
}

/**
 * The command that a client has a shell run, by that shell's arguments; `null` for any other process, as of a hook, a status
 * line or an MCP server. `source …/snapshot-bash-….sh … && eval 'npm test' < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd`:
 * only for these it asks where they have ended up (2.0.76 to 2.1.332).
 */
export function commandIn([, option, login, last]: readonly string[]): string | null {
  // Up to 2.1.42 it may be a login shell.
  const script = login === "-l" ? last : login;
  if (option !== "-c" || !script || !/ && pwd -P >\| \S*claude-\w+-cwd$/.test(script)) return null;
  const from = script.indexOf("&& eval ");
  return from < 0 ? null : firstWord(script, from + "&& eval ".length);
}

/** The word of a shell's script that begins here, without its quotes. */
function firstWord(script: string, from: number): string {
  let word = "";
  let quote = "";
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === quote) quote = "";
    else if (quote === "'") word += char;
    else if (char === "\\" && (quote === "" || /["$`!\\]/.test(script.charAt(at + 1))))
      word += script.charAt(++at);
    else if (quote === '"') word += char;
    else if (char === "'" || char === '"') quote = char;
    else if (/\s/.test(char)) break;
    else word += char;
  }
  return word;
}
