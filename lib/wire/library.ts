import type { ProjectMarks, SessionMarks } from "./annotations";
import type { ProjectId, SessionId } from "./ids";
import type { SessionFigures } from "./library-columns";
import type { QueryProblem } from "./search";
import type { Access } from "./shares";
import type { Cost } from "./usage";

/** A working directory with sessions. `pathGuessed`: no record named it, so it was read from the folder's slug. */
export type Project = {
  id: ProjectId;
  path: string;
  pathGuessed: boolean;
  sessions: number;
  bytes: number;
  lastActiveAtMs: number | null;
  running: number;
  /** Of its sessions, how many its reader hid; all of them where the project itself is hidden. */
  hiddenSessions: number;
  /** What its reader put on it; `null` where there is nothing. */
  marks: ProjectMarks | null;
};

/** `own`: its reader named it. */
export type TitleSource = "own" | "custom" | "ai" | "summary" | "prompt" | "none";

/**
 * `unknown` until a session's records or the client's registry have been read, and, with `sinceMs`, while nothing
 * tells whether its turn is over.
 */
export type SessionState = "running" | "waiting" | "idle" | "interrupted" | "ended" | "unknown";

/** Whether a session counts as running: it does too while it waits for its person. */
export function isRunning({ state }: { state: SessionState }): boolean {
  return state === "running" || state === "waiting";
}

/** Whether a session runs, waits for its person, or may go on in a moment: then its state is `unknown` since a time. */
export function isInProgress(standing: Pick<SessionSummary, "state" | "sinceMs">): boolean {
  return isRunning(standing) || (standing.state === "unknown" && standing.sinceMs !== null);
}

/**
 * Where a session's logs are: on disk alone; on disk with a copy of each in the archive; or in the archive alone, where
 * its main log (of a session without one all its logs) is no longer on disk.
 */
export type SessionStorage = "logs" | "archive" | "both";

/** What the end of a session's log left open: a question or a plan without a result, a prompt without an answer. */
export type OpenEnd = "question" | "plan" | "prompt";

/** What nobody answered at the end of a session that is over; `null` where nothing is open, and while it goes on. */
export function unansweredEnd(
  session: Pick<SessionSummary, "openEnd"> & { state: SessionState; sinceMs?: number | null },
): OpenEnd | null {
  const goesOn = isInProgress({ state: session.state, sinceMs: session.sinceMs ?? null });
  return goesOn ? null : (session.openEnd ?? null);
}

/** Drawn as the library's activity column: equal slices of the session's records, oldest first. */
export type Activity = {
  /** Records in each slice, 0–9, relative to the fullest one. */
  density: number[];
  /** Slices that hold an error (a refused call is none), a compaction, a running agent. */
  errors: number[];
  compactions: number[];
  agents: number[];
};

/** `reportedMicroUsd`: what the client itself wrote down last; `null` where it did not. Never part of the other. */
export type SessionCost = Cost & { reportedMicroUsd: number | null };

/** What the library lists. A number not known yet is `null`, never 0; those of its columns are SessionFigures. */
export type SessionSummary = SessionFigures & {
  id: SessionId;
  projectId: ProjectId;
  title: string;
  titleSource: TitleSource;
  firstPrompt: string | null;
  startedAtMs: number | null;
  lastActiveAtMs: number | null;
  bytes: number;
  models: string[];
  gitBranch: string | null;
  state: SessionState;
  /** Since when `state` holds. */
  sinceMs: number | null;
  /** False until every record has been scanned; the numbers above are `null` until then. */
  indexed: boolean;
  activity: Activity | null;
  /** What its log left open at its end. Absent where nothing is, and until every record has been scanned. */
  openEnd?: OpenEnd;
  /** Why the log cannot be read, with what to do; `null` when it can. */
  problem: { code: string; message: string; hint: string } | null;
  /** Its main log is not there, only logs of its agents are. Absent where it is. */
  logGone?: true;
  storage: SessionStorage;
  /** Agents and copied lines included; `null` until every record has been scanned. */
  cost: SessionCost | null;
  /** What its readers put on it; `null` where there is nothing. */
  marks: SessionMarks | null;
  /** Its project is hidden. Absent where that is shown. */
  inHiddenProject?: true;
};

/** Whether its reader hid a session, or its project. */
export function isHidden({
  marks,
  inHiddenProject,
}: Pick<SessionSummary, "marks" | "inHiddenProject">): boolean {
  return marks?.hidden === true || inHiddenProject === true;
}

/** `totals` is null while a session of the project has not been read. */
export type ListedProject = Project & { totals: Totals | null };

/** `totals`: over all projects. A message that two projects hold counts once here, and once in each of them. */
export type ProjectsResponse = { projects: ListedProject[]; totals: Totals | null };
/** How a session is resumed in a terminal. */
export type SessionResume = {
  /** `null` where its log cannot be resumed. */
  resumeCommand: string | null;
  /**
   * Why that command does not work as it is, and what to do; `null` if nothing is known against it. `moveCommand`: of a
   * folder that is gone and was found nowhere, copies the log to where the client looks for it from `NEW_FOLDER`, which
   * the reader replaces; else `null`.
   */
  resumeProblem: { message: string; hint: string; command: string; moveCommand: string | null } | null;
};

/** A session in a list. How it is resumed in a terminal is told, as in its own answer, only where `ids` are asked for. */
export type ListedSession = SessionSummary & Partial<SessionResume>;

/** `hidden`: how many more are left out as hidden alone. `problems`: what `q` says wrong. */
export type SessionsResponse = {
  sessions: ListedSession[];
  nextCursor: string | null;
  total: number;
  hidden: number;
  problems: QueryProblem[];
};

/** What a reader is told of the library as a whole, such as a folder that can't be read; `path`: which. */
export type Warning = { code: string; message: string; hint: string; path?: string };

/** What the server tells of itself. `done` only when every indexed field is searchable. */
export type Health = {
  version: string;
  /** Which build answers, as its documents say it too (`data-build`); empty for a development server. */
  build: string;
  indexing: {
    phase: "listing" | "scanning" | "done";
    filesDone: number;
    filesTotal: number;
    bytesDone: number;
    bytesTotal: number;
    /** Journals and lines of files that hold no message. */
    recordsOutsideSessions: number;
    done: boolean;
  };
  watching: { folders: number; polled: number };
  warnings: Warning[];
  /** Where logs are looked for, as given or found. */
  roots: string[];
  demo: boolean;
  /** The command that lets Claude Code search and read these sessions; `null` for guests. */
  assistantCommand: string | null;
  /** What the token that came with the request is good for. */
  access: Access;
};

/** The body of every answer that is not 2xx. */
export type ErrorBody = { error: { code: string; message: string; hint: string; path?: string } };

/** Tokens, each message counted once however many lines or files repeat it. */
export type Usage = {
  input: number;
  output: number;
  cacheWrite: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  cacheRead: number;
  webSearches: number;
  webFetches: number;
};

/** Input, output and cache tokens together, as lists of sessions count them. */
export function totalTokens({ input, output, cacheWrite, cacheRead }: Usage): number {
  return input + output + cacheWrite + cacheRead;
}

/**
 * What several sessions hold together. A message and a prompt count once, however many sessions' files
 * repeat them: a fork adds only what is its own.
 */
export type Totals = { turns: number; messages: number; usage: Usage; cost: Cost };
