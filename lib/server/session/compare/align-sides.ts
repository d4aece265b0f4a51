import { type AlignedSide, type Alignment, alignTurns } from "@/lib/log/compare/align";
import type { Branch } from "@/lib/log/graph/branches";
import type { Path } from "@/lib/log/graph/session-graph";
import { promptRecord } from "@/lib/log/rows/turn-row";
import type { Surroundings } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { firstThread } from "../answers/branch-entries";
import type { OpenSession } from "../open-session";
import { answersOf, uuidsOf } from "../related-sessions";

const NONE = -1;

/** A branch of a session, to be compared. `title` and `around` come from the library. */
export type SideSource = {
  session: OpenSession;
  branch: Branch | null;
  title: string;
  around: Surroundings;
};

/** Both sides with the pairs of their turns. */
export type Compared = { left: OpenSide; right: OpenSide } & Alignment;

/** One side, laid out. */
export type OpenSide = SideSource & { path: Path };

const NO_PATH: Path = { records: new Int32Array(), turns: [], beginsAt: () => false };

/**
 * The branch to compare with where none is named: the active one, or for that itself the one that was abandoned last.
 * Throws `one-branch`.
 */
export function usualBranch(session: OpenSession, beside: Branch | null): Branch {
  const branches = session.graph.branches[firstThread(session)] ?? [];
  const other = branches.find((branch) => branch !== beside);
  if (other) return other;
  throw new ViewerError("one-branch", "This session has one branch, so there is nothing to compare it with", {
    status: 400,
    hint: "Name another session as left or right.",
  });
}

/** Lays both sides out and aligns their turns. */
export function alignSides(left: SideSource, right: SideSource): Compared {
  const sides = { left: openSide(left), right: openSide(right) };
  const keysOf = keysFor(sides.left, sides.right);
  return {
    ...sides,
    ...alignTurns(alignedSide(sides.left, "left", keysOf), alignedSide(sides.right, "right", keysOf)),
  };
}

function openSide(side: SideSource): OpenSide {
  return { ...side, path: side.branch ? side.session.path(side.branch) : NO_PATH };
}

type KeysOf = (side: OpenSide) => AlignedSide["keys"];

/**
 * Keys that identify records: in one session the record itself; in two its uuid, which a fork copies, or if they have
 * none in common (1.0.60 resumes under new ones) the id that a copy keeps.
 */
function keysFor(left: OpenSide, right: OpenSide): KeysOf {
  if (left.session.table === right.session.table) return ({ path }) => [...path.records];
  const theirs = uuidsOf(right.session);
  const sharesUuids = [...uuidsOf(left.session)].some((uuid) => theirs.has(uuid));
  return ({ session, path }) => {
    const { records, uuids } = session.table;
    const answers = sharesUuids ? null : answersOf(session);
    const seen = new Map<string, number>();
    return Array.from(path.records, (record) => {
      const uuid = answers ? NONE : records.uuid.at(record);
      const key = uuid === NONE ? (answers?.get(record) ?? null) : uuids.wordsOf(uuid);
      const times = key === null ? 0 : (seen.get(key) ?? 0);
      if (key !== null) seen.set(key, times + 1);
      // The lines of an answer share its id. A uuid occurs again where 2.1.330 copies what a summary kept.
      return times === 0 ? key : answers && `${key} ${times}`;
    });
  };
}

function alignedSide(side: OpenSide, name: string, keysOf: KeysOf): AlignedSide {
  const { records, texts } = side.session.table;
  const turns = side.path.turns.slice(1).map(({ from, record }) => {
    const text = records.link.at(promptRecord(side.session, record));
    // A prompt without a text equals no other.
    return { from, prompt: text === NONE ? `${name} ${from}` : texts.wordsOf(text) };
  });
  return { keys: keysOf(side), turns };
}
