import { clip, titleOfPrompt } from "@/lib/format/text";
import { commandLine, tagContent, typedText, userTextKind } from "@/lib/log/adding/user-text";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";

/** The facts about a log that its head and tail contain. */
export type LogFacts = {
  /** It contains at least part of a conversation, if only progress of calls: not just bookkeeping. */
  hasMessages: boolean;
  /** From the first record that has one: it changes within a session (EnterWorktree, 2.1.x). */
  cwd: string | null;
  gitBranch: string | null;
  firstPrompt: string | null;
  customTitle: string | null;
  aiTitle: string | null;
  /** Titles in this log, for itself or (1.0.128: mostly) for another log of the folder. */
  summaries: { leafUuid: string | null; text: string }[];
  /** The last uuids, oldest first: a summary's `leafUuid` is looked up in them. */
  lastUuids: string[];
  /** The first uuid, and the parent that its line names: a copied history starts with the original's. */
  firstUuid: string | null;
  firstParentUuid: string | null;
  /** The first answer's message: 1.0.60 copies a history with new uuids, but messages keep their ids. */
  firstMessageId: string | null;
  /** The session that lines name as their origin (/branch, 2.1.110 and later). */
  forkedFrom: string | null;
  startedAtMs: number | null;
  lastActiveAtMs: number | null;
  models: string[];
  /** Names of plans (2.0.76 and later), distinct. */
  slugs: string[];
  /** Distinct, in file order: 2.0.76 changes it after the first line in the agents of a resumed process. */
  sessionIds: string[];
  /** An agent that 2.0.x starts for itself. 2.0.42 and 2.0.50 don't log its prompt, so this misses theirs. */
  warmUp: boolean;
  /** Number of lines of the log where it was read whole, else `null`. */
  lines: number | null;
};

const REFUSED_PROMPT = /^UserPromptSubmit operation blocked by hook:[^]*?\n\nOriginal prompt: ([^]+)/;
const MAX_UUIDS = 32;
const MAX_PROMPT = 500;
const MAX_IDS = 8;

/** Facts of a log that has not been read. */
export function noFacts(): LogFacts {
  return {
    hasMessages: false,
    cwd: null,
    gitBranch: null,
    firstPrompt: null,
    customTitle: null,
    aiTitle: null,
    summaries: [],
    lastUuids: [],
    firstUuid: null,
    firstParentUuid: null,
    firstMessageId: null,
    forkedFrom: null,
    startedAtMs: null,
    lastActiveAtMs: null,
    models: [],
    slugs: [],
    sessionIds: [],
    warmUp: false,
    lines: null,
  };
}

/** Merges the facts of several logs of one session: those of the earliest log take precedence. */
export function mergedFacts(all: readonly LogFacts[]): LogFacts {
  const inOrder = [...all].sort(
    (a, b) => Number(a.warmUp) - Number(b.warmUp) || (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0),
  );
  const merged = noFacts();
  for (const facts of inOrder) {
    merged.hasMessages ||= facts.hasMessages;
    for (const name of ["cwd", "gitBranch", "firstPrompt", "firstUuid", "firstParentUuid"] as const)
      merged[name] ??= facts[name];
    for (const name of ["models", "slugs", "sessionIds"] as const)
      for (const value of facts[name]) addOnce(merged[name], value);
    if (facts.startedAtMs !== null)
      merged.startedAtMs = Math.min(merged.startedAtMs ?? facts.startedAtMs, facts.startedAtMs);
    if (facts.lastActiveAtMs !== null)
      merged.lastActiveAtMs = Math.max(merged.lastActiveAtMs ?? facts.lastActiveAtMs, facts.lastActiveAtMs);
  }
  return merged;
}

/** Collects facts from records in file order, with any gap between head and tail. */
export class FactsCollector {
  readonly facts = noFacts();
  #localPrompt: string | null = null;
  #refused: string | null = null;
  #inTail = false;
  /** A message has been seen. */
  #begun = false;

  /** True when the rest of the head need not be read: everything that only the head contains is known. */
  get headDone(): boolean {
    return this.facts.hasMessages && this.facts.cwd !== null && this.facts.firstPrompt !== null;
  }

  /** The following records are not contiguous with the earlier ones, so none of their prompts is the first. */
  enterTail(): void {
    this.#inTail = true;
  }

  /** Adds a record, in the order of the file. */
  add(record: SessionRecord): void {
    if (record.kind === "unreadable") return;
    const { facts } = this;
    const { json } = record;
    facts.cwd ??= asString(json.cwd);
    const slug = asString(json.slug);
    if (slug && facts.slugs.length < MAX_IDS) addOnce(facts.slugs, slug);
    const branch = asString(json.gitBranch);
    // "HEAD" is what 2.1.42 and later write outside a repository.
    if (branch && branch !== "HEAD") facts.gitBranch = branch;
    if (record.atMs !== null) {
      facts.startedAtMs = Math.min(facts.startedAtMs ?? record.atMs, record.atMs);
      facts.lastActiveAtMs = Math.max(facts.lastActiveAtMs ?? record.atMs, record.atMs);
    }
    if (record.sessionId && facts.sessionIds.length < MAX_IDS) addOnce(facts.sessionIds, record.sessionId);
    if (record.uuid) {
      if (facts.firstUuid === null) facts.firstParentUuid = record.parentUuid;
      facts.firstUuid ??= record.uuid;
      keepLast(facts.lastUuids, record.uuid);
    }
    facts.forkedFrom ??= asString(asObject(json.forkedFrom)?.sessionId);
    if (record.kind === "user") this.#addUser(record);
    else if (record.kind === "assistant") {
      facts.hasMessages = true;
      if (!this.#inTail) facts.firstMessageId ??= record.messageId;
      this.#begun = true;
      if (record.model && record.model !== "<synthetic>") addOnce(facts.models, record.model);
    } else {
      if (record.uuid && record.kind !== "metadata") facts.hasMessages = true;
      if (record.type === "system") this.#addRefused(json);
      this.#addTitle(record.type, json);
    }
  }

  /** The facts, with a built-in command as the prompt where there is no other, or what a hook refused to have sent. */
  finish(): LogFacts {
    this.facts.firstPrompt ??= this.#localPrompt ?? this.#refused;
    return this.facts;
  }

  #addUser(record: Extract<SessionRecord, { kind: "user" }>): void {
    const { facts } = this;
    const { json } = record;
    if (!this.#begun) facts.warmUp = record.blocks[0]?.kind === "text" && record.blocks[0].text === "Warmup";
    facts.hasMessages = true;
    this.#begun = true;
    if (this.#inTail || facts.firstPrompt !== null || record.isMeta || record.isCompactSummary) return;
    // 2.1.330: a notification, not a person.
    if (json.promptSource === "system") return;
    const prompt = promptText(record.blocks);
    if (!prompt) return;
    const text = clip(prompt.text || (prompt.images > 1 ? `${prompt.images} images` : "Image"), MAX_PROMPT);
    // A session begun by `/clear` is named after its first prompt: the command was given in the session before.
    if (prompt.local) this.#localPrompt ??= /^\/clear\b/.test(text) ? null : text;
    // A log that consists of a sidechain only is an agent's: its prompt is not a person's.
    else facts.firstPrompt = record.isSidechain && !record.agentId ? null : text;
  }

  /** A prompt that a hook refused stands in the line that says so, and nowhere else (2.0.25, 2.1.15, 2.1.220 and later). */
  #addRefused(json: { readonly [key: string]: unknown }): void {
    const text = REFUSED_PROMPT.exec(asString(json.content) ?? "")?.[1]?.trim();
    if (text && !this.#inTail) this.#refused ??= clip(titleOfPrompt(text), MAX_PROMPT);
  }

  #addTitle(type: string, json: { readonly [key: string]: unknown }): void {
    const { facts } = this;
    if (type === "custom-title") facts.customTitle = asString(json.customTitle) ?? facts.customTitle;
    else if (type === "ai-title") facts.aiTitle = asString(json.aiTitle) ?? facts.aiTitle;
    else if (type === "summary") {
      const text = asString(json.summary);
      if (text) facts.summaries.push({ leafUuid: asString(json.leafUuid), text: clip(text, MAX_PROMPT) });
    }
  }
}

function addOnce(list: string[], value: string): void {
  if (!list.includes(value)) list.push(value);
}

function keepLast(list: string[], value: string): void {
  list.push(value);
  if (list.length > MAX_UUIDS) list.shift();
}

/** What a person typed. `local`: a built-in command, a shell line, a note: nothing was sent to the model. */
export type PromptText = { text: string; images: number; local: boolean };

/** 1.0.128 writes the output of hooks as user strings, `<user-prompt-submit-hook>…` and the like. */
const HOOK = /^<[a-z-]+-hook>/;

const SUMMARY = "This session is being continued from a previous conversation";

/**
 * The prompt in a user line that is not `isMeta`, in the form used for titles, or `null` where no person
 * wrote one. A slash command reads `/name arguments`, a shell line `! command`, a note `# note`.
 */
export function promptText(blocks: readonly ContentBlock[]): PromptText | null {
  const texts: string[] = [];
  let images = 0;
  for (const block of blocks) {
    if (block.kind === "tool-result") return null;
    if (block.kind === "media") images += 1;
    if (block.kind === "text") texts.push(block.text);
  }
  const text = typedText(texts.join("\n"));
  if (text === "") return images > 0 ? { text: "", images, local: false } : null;
  if (HOOK.test(text) || text.startsWith(SUMMARY)) return null;
  const note = text.startsWith("<user-memory-input>") ? tagContent(text, "user-memory-input") : null;
  if (note !== null) return { text: `# ${note}`, images, local: true };
  const kind = userTextKind(text);
  if (kind === "prompt") return { text: titleOfPrompt(text), images, local: false };
  if (kind === "bash")
    return { text: `! ${tagContent(text, "bash-input") ?? ""}`.trim(), images, local: true };
  if (kind !== "command") return null;
  // A custom command's line begins with its message, a built-in one's with its name, in all versions recorded.
  return { text: commandLine(text), images, local: text.startsWith("<command-name>") };
}
