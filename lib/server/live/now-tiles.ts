import { textStart } from "@/lib/format/text";
import { asArray, asObject, asString } from "@/lib/log/records/json";
import type { Catalog } from "@/lib/server/library/catalog";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { resumeOf } from "@/lib/server/session/answers/resume";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import {
  type AskedQuestion,
  boardRank,
  isOpenAndIdle,
  type LiveState,
  type NowResponse,
  type NowTile,
} from "@/lib/wire/live";
import type { Row, ToolRow } from "@/lib/wire/rows";
import type { Live } from "./live";

/** More tiles cannot be read at a glance; the library lists all sessions. */
const MAX_TILES = 40;
const ROWS = 6;
/** Prompts are searched this far above the last row. */
const LOOK_BACK_ROWS = 80;
const ENDED_MS = 60 * 60_000;
const CLOCK_SKEW_MS = 5 * 60_000;
const MAX_BESIDE = 12;

type Dated = Pick<SessionSummary, "state" | "lastActiveAtMs">;
type Parts = {
  catalog: Catalog;
  sessions: SessionQueries;
  live: Live;
  /** `flags`: with which `backscroll` reads what this server reads. */
  config: { flags: readonly string[] };
};

/**
 * Every session that is running, waiting or has just stopped: waiting ones first, then by their last line. Beside them
 * those whose clients are open and idle, and those that have ended.
 */
export async function nowTiles(parts: Parts): Promise<NowResponse> {
  const nowMs = Date.now();
  const shown = parts.live
    .recent()
    .filter((live) => isShown(live, nowMs))
    .sort((a, b) => boardRank(a) - boardRank(b) || (b.lastLineAtMs ?? 0) - (a.lastLineAtMs ?? 0))
    .slice(0, MAX_TILES);
  const tiles: NowTile[] = [];
  for (const live of shown) {
    const tile = await tileOf(parts, live);
    if (tile) tiles.push(tile);
  }
  const onBoard = new Set<SessionId>(tiles.map(({ summary }) => summary.id));
  const isOpen = ({ id }: SessionSummary) => {
    const live = parts.live.state(id);
    return live !== null && isOpenAndIdle(live);
  };
  const beside = parts.catalog
    .summaries()
    .filter(({ id }) => !onBoard.has(id))
    .sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
  return {
    tiles,
    open: beside.filter(isOpen).slice(0, MAX_BESIDE),
    ended: beside.filter((one) => hasEndedLately(one, nowMs) && !isOpen(one)).slice(0, MAX_BESIDE),
  };
}

/** Whether a session that is not running was last active within the hour; a date in the future proves nothing. */
export function hasEndedLately({ state, lastActiveAtMs }: Dated, nowMs: number): boolean {
  const agoMs = nowMs - (lastActiveAtMs ?? 0);
  return state !== "running" && agoMs > -CLOCK_SKEW_MS && agoMs < ENDED_MS;
}

function isShown(live: LiveState, nowMs: number): boolean {
  // One that may continue in a moment too: its tile should not flicker with each text (up to 2.1.42).
  if (isInProgress(live)) return true;
  return live.gone && nowMs - (live.lastLineAtMs ?? 0) < ENDED_MS;
}

async function tileOf(
  { catalog, sessions, live: all, config }: Parts,
  live: LiveState,
): Promise<NowTile | null> {
  const id = live.sessionId;
  try {
    const summary: SessionSummary = catalog.summary(id);
    const files = catalog.sessionFiles(id);
    const { resumeCommand, resumeProblem } = resumeOf(catalog, files, config.flags);
    const head = { summary, project: files.projectPath, live, resumeCommand, resumeProblem };
    const query = { branch: null, agent: null, detail: "tools", fold: [], around: null } as const;
    // A request far beyond the end returns no rows, but their total.
    const end = await sessions.rows(id, { ...query, fold: [], from: 1e9, count: 1 });
    if ("scanning" in end) return { ...head, turn: null, rows: [], agents: [], questions: null };
    const from = Math.max(0, end.total - LOOK_BACK_ROWS);
    const answer = await sessions.rows(id, { ...query, fold: [], from, count: LOOK_BACK_ROWS });
    const agents = await sessions.agents(id, { limit: 1000, cursor: null });
    if ("scanning" in answer || "scanning" in agents)
      return { ...head, turn: null, rows: [], agents: [], questions: null };
    const at = answer.rows.findLastIndex((row) => row.kind === "turn");
    const prompt = answer.rows[at];
    // They are drawn below the prompt, so those of turns before are none of them.
    const rows = answer.rows
      .slice(at + 1)
      .filter((row) => row.kind !== "fork")
      .slice(-ROWS);
    return {
      ...head,
      live: all.state(id) ?? live,
      turn:
        prompt?.kind === "turn"
          ? { number: prompt.turn, prompt: textStart(prompt.prompt.text, 200), atMs: prompt.atMs }
          : null,
      rows,
      agents: agents.agents.filter((agent) => agent.state === "running"),
      questions: live.state === "waiting" ? await questionsOf(sessions, id, rows) : null,
    };
  } catch (error) {
    if (isViewerError(error)) return null; // deleted meanwhile
    throw error;
  }
}

/** More could not be read on a tile. */
const MAX_QUESTIONS = 4;
const MAX_OPTIONS = 8;

/** What the last call that asks its person wants to know, with its options; `null` where it has been answered. */
async function questionsOf(
  sessions: SessionQueries,
  id: SessionId,
  rows: readonly Row[],
): Promise<AskedQuestion[] | null> {
  const asked = rows.findLast((row): row is ToolRow => row.kind === "tool" && row.name === "AskUserQuestion");
  if (!asked || (asked.state !== "running" && asked.state !== "no-result")) return null;
  const call = await sessions.call(id, asked.recordId, asked.block);
  return "scanning" in call ? null : readQuestions(call.input);
}

/** The questions in a call's input, as far as they have the shape of the versions that are known; `null` without any. */
export function readQuestions(input: unknown): AskedQuestion[] | null {
  const questions = asArray(asObject(input)?.questions)
    .slice(0, MAX_QUESTIONS)
    .flatMap((one): AskedQuestion[] => {
      const fields = asObject(one);
      const question = asString(fields?.question);
      if (question === null) return [];
      const options = asArray(fields?.options)
        .slice(0, MAX_OPTIONS)
        .flatMap((option) => {
          const label = asString(asObject(option)?.label) ?? asString(option);
          return label === null ? [] : [{ label, description: asString(asObject(option)?.description) }];
        });
      return [
        { header: asString(fields?.header), question, options, multiple: fields?.multiSelect === true },
      ];
    });
  return questions.length === 0 ? null : questions;
}
