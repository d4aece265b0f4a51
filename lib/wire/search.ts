import type { FoundText } from "@/lib/query/text-marks";
import type { AgentId, ProjectId, RecordId, SessionId } from "./ids";
import { type CallStateName, DETAILS, type Detail } from "./rows";

/**
 * Where a word stands. `title` also means the working directory. `command` is what a person typed for the client or the
 * shell. `output` is what tools and the client
 * wrote, `returned` what work in the background reported to the session, `attachment` what the client attached,
 * `meta` any other string of the line, `raw` a line that is no JSON.
 */
export const SEARCH_FIELDS = [
  "title",
  "prompt",
  "command",
  "text",
  "thinking",
  "input",
  "output",
  "returned",
  "attachment",
  "meta",
  "raw",
] as const;

export type SearchField = (typeof SEARCH_FIELDS)[number];

/** The least detail whose rows show a field. */
const NEEDED: Record<SearchField, Detail> = {
  title: "prompts",
  prompt: "prompts",
  command: "conversation",
  text: "conversation",
  thinking: "tools",
  input: "tools",
  output: "tools",
  returned: "tools",
  attachment: "everything",
  meta: "everything",
  raw: "everything",
};

/** The least detail that shows a field; of one that only a newer server knows, what shows all. */
export function detailOfField(field: SearchField): Detail {
  return NEEDED[field] ?? "everything";
}

/** Whether a detail shows all that another one does. */
export function isWithin(inner: Detail, outer: Detail): boolean {
  return DETAILS.indexOf(inner) <= DETAILS.indexOf(outer);
}

/** One text in which the query was found. Several finds in one text are one hit. */
export type SearchHit = {
  projectId: ProjectId;
  sessionId: SessionId;
  /** Null in the main thread. */
  agentId: AgentId | null;
  /** For a title the session's first record. */
  recordId: RecordId;
  /** As in a permalink: `<recordId>.<block>`. */
  block: number;
  field: SearchField;
  /** The tool that an input was given to; null for every other text. */
  tool: string | null;
  /** Part of the text around the first find, on one line: line breaks and tabs are spaces. */
  snippet: string;
  /** The finds in the snippet: [from, to) in UTF-16 units. */
  ranges: [number, number][];
  /** What regular expressions found in the whole text, to mark it. Only of a search in one session. */
  found?: FoundText[];
  atMs: number | null;
};

/**
 * Where a hit stands in its session. `turn`: the turn of the main thread, of an agent's text the one that started the
 * agent; 0 before the first prompt, null where no call started it. `branch`: the number of the branch that it is on, null
 * on the active one and where `turn` is. `tool` and `state`: the call that the text is the
 * input or output of, null for every other text.
 */
export type HitPlace = {
  turn: number | null;
  branch: number | null;
  tool: string | null;
  state: CallStateName | null;
};

/** The most hits whose states one request asks for: with long ids they are as much as a body may be. */
export const MAX_STATED_HITS = 300;

/**
 * What a text is in, as `is:` asks for it: a call that failed, was refused or has no result; a branch that was left;
 * what stands before a compaction of its thread, or of the thread that started its agent.
 */
export const TEXT_STATES = ["error", "denied", "running", "abandoned", "compacted"] as const;

export type TextState = (typeof TEXT_STATES)[number];

/** What a hit is in: a state of its text, or of its session, which ended `unanswered`. */
export type HitState = TextState | "unanswered";

/** `POST /api/search/states`: the states of each hit that was named, none for one that is gone. */
export type HitStatesResponse = { states: HitState[][] };

/** `GET /api/search/places?hits=`: a place for each hit that was named, null for one that is gone. */
export type HitPlacesResponse = { places: (HitPlace | null)[] };

/** What the query says wrong, by place; such a term is looked for as a plain word. */
export type QueryProblem = { from: number; to: number; message: string };

/**
 * How much of the logs a search has read. `unsearched`: in how many of the texts that were read looking for a regular
 * expression was given up, because it took too long; absent for none.
 */
export type SearchProgress = {
  bytesDone: number;
  bytesTotal: number;
  filesDone: number;
  filesTotal: number;
  unsearched?: number;
};

/**
 * `GET /api/search?q=&project=&session=&limit=&cursor=`. Hits of the index come first, by rank; those that
 * are read from the logs follow, newest session first. `complete`: everything was looked at, but for texts that are
 * `unsearched`, and `nextCursor` is null.
 */
export type SearchResponse = {
  hits: SearchHit[];
  complete: boolean;
  nextCursor: string | null;
  progress: SearchProgress;
  problems: QueryProblem[];
};

/**
 * What `Accept: text/event-stream` streams, as `data:` of events named by `kind`. A stream ends after
 * some thousands of hits; where the end has a `nextCursor`, another stream with that `cursor` goes on.
 */
export type SearchEvent =
  | { kind: "start"; problems: QueryProblem[] }
  | { kind: "hits"; hits: SearchHit[] }
  | { kind: "progress"; progress: SearchProgress }
  | { kind: "end"; complete: boolean; nextCursor: string | null; progress: SearchProgress };

/** How prompts are listed: those used last first, or those used most often. */
export const PROMPT_SORTS = ["recent", "uses"] as const;

export type PromptSort = (typeof PROMPT_SORTS)[number];

/**
 * Once that a prompt was used. Of one that only the client's history of prompts still has, whose log is gone, session,
 * record and title are `null`.
 */
export type PromptUse = {
  atMs: number | null;
  sessionId: SessionId | null;
  recordId: RecordId | null;
  title: string | null;
  projectId: ProjectId | null;
  /** The project's folder; `null` where nothing says it. */
  projectPath: string | null;
};

/** A prompt with all its uses: those whose words are the same but for capitals and spaces. */
export type UsedPrompt = {
  /** Equal for as long as the words are. */
  id: string;
  /** As it was typed last, at most `MAX_LISTED_TEXT` characters of it. */
  text: string;
  /** Characters of the whole text. */
  length: number;
  /** How often it was used; a copy in a fork is no use of its own. */
  uses: number;
  /** In how many sessions that are still there. */
  sessions: number;
  /** How many of the uses are in logs that are gone. */
  gone: number;
  firstAtMs: number | null;
  last: PromptUse;
};

/** The most characters of a prompt that are looked through and shown; the session has the others. */
export const MAX_PROMPT_TEXT = 16_000;
/** The most characters of each prompt in a list. */
export const MAX_LISTED_TEXT = 600;

/**
 * `GET /api/prompts`. `total`: how many prompts there are, `uses` how often they were used together. `sessions`: how many
 * have been looked through, and how many may have some; asked again, the answer goes on until it is `complete`.
 * `problems`: what `q` says wrong.
 */
export type PromptsResponse = {
  prompts: UsedPrompt[];
  total: number;
  uses: number;
  nextCursor: string | null;
  sessions: { done: number; total: number };
  complete: boolean;
  problems: QueryProblem[];
};

/**
 * `GET /api/prompts/{id}`: one prompt with its uses, the latest first. `text`: at most `MAX_PROMPT_TEXT` characters of
 * `length`; empty where no use of it is left.
 */
export type PromptUsesResponse = {
  text: string;
  length: number;
  uses: PromptUse[];
  total: number;
  nextCursor: string | null;
};
