import type { ContentBlock } from "@/lib/log/records/content-block";
import { asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import {
  type GitOutcome,
  gitOutcome,
  isGitCommand,
  isSameHash,
  linkedRequest,
} from "@/lib/log/rows/calls/git-outcome";
import { toolNamed } from "@/lib/tools/tools";

/**
 * The commits and pull requests in a session's own lines: hashes, and `repository#number` with the address. `asked`:
 * calls of git that had no result yet, by tool-use id, with their commands.
 */
export type GitFacts = {
  commits: string[];
  requests: { number: number; name: string }[];
  asked: [toolUseId: string, command: string][];
};

const NO_FACTS: GitFacts = { commits: [], requests: [], asked: [] };
/** A command may write a file before it commits it; whatever follows this many characters is not searched. */
export const MAX_COMMAND = 64 << 10;

/** Collects commits and pull requests line by line, and continues where an earlier reading ended. */
export class GitFinder {
  readonly #commits: string[];
  readonly #requests: Map<string, GitFacts["requests"][number]>;
  readonly #asked: Map<string, string>;
  readonly #sessionId: string;

  /** @param sessionId the main log's uuid, which a trailer names */
  constructor(sessionId: string, { commits, requests, asked }: GitFacts = NO_FACTS) {
    this.#sessionId = sessionId;
    this.#commits = [...commits];
    this.#requests = new Map(requests.map((request) => [request.name, request]));
    this.#asked = new Map(asked);
  }

  /** Takes the next line. `whole` reads one that was shortened again. */
  take(record: SessionRecord, whole: () => SessionRecord): void {
    if (record.kind === "metadata" && record.type === "pr-link") {
      const request = linkedRequest(record.json);
      if (request) this.#note({ commits: [], requests: [request] });
    } else if (record.kind === "assistant") {
      const full = record.elided && record.blocks.some(isShell) ? whole() : record;
      if (full.kind === "assistant") for (const block of full.blocks) this.#ask(block);
    } else if (record.kind === "user" && this.#asked.size > 0) {
      const answers = record.blocks.some((block) => block.kind === "tool-result" && this.#isAsked(block));
      const full = answers ? whole() : record;
      if (full.kind === "user") for (const block of full.blocks) this.#answer(block);
    }
  }

  clear(): void {
    this.#commits.length = 0;
    this.#requests.clear();
    this.#asked.clear();
  }

  facts(): GitFacts {
    return { commits: [...this.#commits], requests: [...this.#requests.values()], asked: [...this.#asked] };
  }

  #ask(block: ContentBlock): void {
    const command = gitCommandOf(block);
    if (command !== null && block.kind === "tool-use" && block.id !== null)
      this.#asked.set(block.id, command.slice(0, MAX_COMMAND));
  }

  #isAsked({ toolUseId }: { toolUseId: string | null }): boolean {
    return toolUseId !== null && this.#asked.has(toolUseId);
  }

  #answer(block: ContentBlock): void {
    if (block.kind !== "tool-result" || block.toolUseId === null) return;
    const command = this.#asked.get(block.toolUseId);
    if (command === undefined) return;
    this.#asked.delete(block.toolUseId);
    this.#note(gitOutcome(command, outputOf(block), this.#sessionId));
  }

  #note({ commits, requests }: GitOutcome): void {
    for (const { hash } of commits) {
      const known = this.#commits.findIndex((one) => isSameHash(one, hash));
      if (known === -1) this.#commits.push(hash);
      else if (hash.length > (this.#commits[known] ?? "").length) this.#commits[known] = hash;
    }
    for (const { number, url, repository } of requests) {
      const name = [url, repository === null ? `#${number}` : `${repository}#${number}`]
        .filter(Boolean)
        .join(" ");
      this.#requests.set(name, { number, name });
    }
  }
}

function isShell(block: ContentBlock): block is Extract<ContentBlock, { kind: "tool-use" }> {
  return block.kind === "tool-use" && toolNamed(block.name)?.starts === "shell";
}

/** The command of a shell call that runs git; `null` for any other block. */
export function gitCommandOf(block: ContentBlock | undefined): string | null {
  if (!block || !isShell(block)) return null;
  const command = asString(block.input.command);
  return command !== null && isGitCommand(command) ? command : null;
}

/** What a call printed. */
export function outputOf(block: Extract<ContentBlock, { kind: "tool-result" }>): string {
  return block.content.flatMap((inner) => (inner.kind === "text" ? [inner.text] : [])).join("\n");
}
