import { isBlankName } from "@/lib/format/shown-name";
import { clip } from "@/lib/format/text";
import type { ProjectMarks, SessionMarks } from "@/lib/wire/annotations";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary, TitleSource } from "@/lib/wire/library";
import { type SessionFigures, UNKNOWN_FIGURES } from "@/lib/wire/library-columns";
import type { SessionDraft } from "./session-draft";
import { storageOf } from "./session-files";

const MAX_TITLE = 200;

/** A session's entry in the library: facts of the first pass, overridden by the full scan's numbers once it ran. */
export function toSessionSummary(
  id: SessionId,
  projectId: ProjectId,
  draft: SessionDraft,
  numbers: SessionNumbers | null,
): SessionSummary {
  const { facts, main, agents, problem } = draft;
  const { lastAtMs, ...figures } = numbers ?? { lastAtMs: null };
  const firstPrompt = numbers?.firstPrompt ?? facts.firstPrompt;
  const times = [facts.lastActiveAtMs, lastAtMs ?? null].filter((atMs) => atMs !== null);
  return {
    id,
    projectId,
    firstPrompt,
    startedAtMs: facts.startedAtMs,
    // mtime only where no record has a time: copying or syncing logs changes it.
    lastActiveAtMs:
      times.length > 0 ? Math.max(...times) : Math.round((main.gone ? agents[0] : main)?.mtimeMs ?? 0),
    ...UNKNOWN_FIGURES,
    bytes: agents.reduce((sum, agent) => sum + agent.bytes, main.bytes),
    models: facts.models,
    gitBranch: facts.gitBranch,
    state: "unknown",
    sinceMs: null,
    activity: null,
    cost: null,
    problem,
    ...titleOf(draft, firstPrompt),
    ...figures,
    indexed: numbers !== null,
    ...(main.gone ? { logGone: true } : {}),
    storage: storageOf(draft),
    marks: null,
  };
}

/**
 * The same session with the marks that its readers put on it and on its project: the name that it was given is its
 * title.
 */
export function withMarks(
  summary: SessionSummary,
  marks: SessionMarks | null,
  project: ProjectMarks | null,
): SessionSummary {
  const name = marks?.name ?? null;
  const named =
    name === null || isBlankName(name) ? {} : { title: titleLine(name), titleSource: "own" as const };
  return { ...summary, ...named, marks, ...(project?.hidden ? { inHiddenProject: true } : {}) };
}

function titleOf({ facts, summaryTitle, main }: SessionDraft, firstPrompt: string | null) {
  const candidates: [TitleSource, string | null][] = [
    ["custom", facts.customTitle],
    ["ai", facts.aiTitle],
    ["summary", summaryTitle],
    ["prompt", firstPrompt],
  ];
  for (const [titleSource, text] of candidates) {
    const title = text === null ? "" : titleLine(text);
    if (!isBlankName(title)) return { title, titleSource };
  }
  const title = main.gone ? "Agents of a session whose log is gone" : "Untitled session";
  return { title, titleSource: "none" as const };
}

/** Makes a title of any text: one line, short enough for a list. */
export function titleLine(text: string): string {
  return clip(text.replace(/\s+/g, " ").trim(), MAX_TITLE);
}

/** What only a full scan provides. Absent fields keep the first pass's value. */
export type SessionNumbers = SessionFigures &
  Pick<SessionSummary, "activity" | "cost"> &
  Partial<
    Pick<
      SessionSummary,
      | "title"
      | "titleSource"
      | "firstPrompt"
      | "startedAtMs"
      | "models"
      | "gitBranch"
      | "state"
      | "sinceMs"
      | "openEnd"
    >
  > & {
    /** The latest time in any of its logs: agents may write on after the main log, whose end the first pass reads. */
    lastAtMs?: number | null;
  };
