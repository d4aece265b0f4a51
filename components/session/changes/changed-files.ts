import { type QueryClient, useQuery } from "@tanstack/react-query";
import { shortenPath } from "@/components/content/text/visible-text";
import type { WorkInRange } from "@/components/session/waterfall/selected-part";
import { api } from "@/lib/client/api";
import { comparablePath } from "@/lib/format/text";
import { formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { CallDetail, FileDiff } from "@/lib/wire/record";
import type { FileEntry } from "@/lib/wire/session";

/** Where a file stands: what a session is about comes first. */
export const FILE_PLACES = ["project", "outside", "plan"] as const;

export type FilePlace = (typeof FILE_PLACES)[number];

/** What one call did to a file, and how many lines it added and took out. */
export type ChangeOfFile = {
  recordId: RecordId;
  block: number;
  turn: number;
  added: number;
  removed: number;
};

/** A file that was changed, the lines of the changes that are meant, and the calls that made them, in their order. */
export type FileChanges = {
  path: string;
  place: FilePlace;
  added: number;
  removed: number;
  changes: ChangeOfFile[];
};

/** Lines around those that a call changed, in its patch. */
const CONTEXT_LINES = 6;
/** Lines across: where in the file it is, and what is left out above and below. */
const ACROSS_LINES = 3;
/** So many lines of a change are shown at first. */
const MAX_LINES = 100;

/**
 * How high each change of a file will be, in CSS, so that what stands below stays where it is when they are there: to the
 * line where a patch is of one place, and that not at an end of the file. `split`: old and new lines stand side by side.
 */
export function reservedHeights(changes: readonly ChangeOfFile[], { split }: { split: boolean }): string[] {
  return changes.map(({ added, removed }, index) => {
    // What begins with lines alone is the file.
    const isCreated = index === 0 && removed === 0 && added > 0;
    const changed = split ? Math.max(added, removed) : added + removed;
    const lines = isCreated ? added : changed + CONTEXT_LINES + ACROSS_LINES;
    const more = lines > MAX_LINES ? " + var(--row)" : "";
    return `calc(${Math.min(MAX_LINES, lines)} * var(--text-code--line-height) + 42px${more})`;
  });
}

/** Which changes are meant: those of a turn, of a part of the session's time, or all. */
export type Selection = { turn: number | null; part: WorkInRange | null };

export const ALL_CHANGES: Selection = { turn: null, part: null };

/**
 * The files with changes that are meant, and those in order: the project's by path, then those outside of it, and
 * plans last. `root` is the project's folder; where it is not known, no file is outside.
 */
export function changedFiles(
  files: readonly FileEntry[],
  { turn, part }: Selection,
  root: string | null,
): FileChanges[] {
  return files
    .map(({ path, recordIds, blocks, turns, addedBy, removedBy }) => {
      const all = recordIds.map((recordId, index) => ({
        recordId,
        block: blocks[index] ?? 0,
        turn: turns[index] ?? 0,
        added: addedBy[index] ?? 0,
        removed: removedBy[index] ?? 0,
      }));
      const changes = all.filter(
        (change) =>
          (turn === null || change.turn === turn) &&
          (part === null || part.calls.has(formatRowKey(change.recordId, change.block))),
      );
      return { path, place: placeOf(path, root), ...changedLines(changes), changes };
    })
    .filter(({ changes }) => changes.length > 0)
    .sort(
      (a, b) => FILE_PLACES.indexOf(a.place) - FILE_PLACES.indexOf(b.place) || (a.path < b.path ? -1 : 1),
    );
}

/** The client keeps plans in its configuration folder (2.0.76 and later), which may have any name. */
function placeOf(path: string, root: string | null): FilePlace {
  if (/[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/.test(path)) return "plan";
  const isAbsolute = /^(?:[\\/~]|[A-Za-z]:)/.test(path);
  if (!root || !isAbsolute || shortenPath(path, root) !== shortenPath(path, null)) return "project";
  return /[\\/]plans[\\/][^\\/]+\.md$/.test(path) ? "plan" : "outside";
}

/** A call's changes of a file, which it may name in another form than the first one did. */
export function diffsOf({ diffs }: Pick<CallDetail, "diffs">, path: string): FileDiff[] {
  return diffs.filter((diff) => comparablePath(diff.path) === comparablePath(path));
}

/** Lines that were added and taken out by all of these, files or changes. */
export function changedLines(
  all: readonly Pick<ChangeOfFile, "added" | "removed">[],
): Pick<ChangeOfFile, "added" | "removed"> {
  let [added, removed] = [0, 0];
  for (const one of all) {
    added += one.added;
    removed += one.removed;
  }
  return { added, removed };
}

const PAGE_FILES = 200;

/** All files that a session changed; `undefined` data while they are on their way. */
export function useChangedFiles(sessionId: SessionId, isWanted = true) {
  return useQuery({
    queryKey: filesKey(sessionId),
    enabled: isWanted,
    queryFn: ({ signal }) => allFiles(sessionId, signal),
    gcTime: 30_000,
  });
}

function filesKey(sessionId: SessionId) {
  return ["files", sessionId, "all"] as const;
}

/** The files as far as they have been read. */
function knownFiles(client: QueryClient, sessionId: SessionId): readonly FileEntry[] {
  return client.getQueryData<FileEntry[]>(filesKey(sessionId)) ?? [];
}

/** Under which a call's change is kept. */
export function changeKey(
  sessionId: SessionId,
  { recordId, block }: Pick<FileChanges["changes"][number], "recordId" | "block">,
) {
  return ["call", sessionId, recordId, block, "ok"] as const;
}

async function allFiles(sessionId: SessionId, signal: AbortSignal): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof api.files>> = await api.files(
      sessionId,
      { limit: PAGE_FILES, cursor },
      { signal },
    );
    files.push(...page.files);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return files;
}

/** Limits the paper used, and what the page has to lay out at once. */
const MAX_PRINTED_CHANGES = 500;
/** Changes that are fetched while the browser waits; others are printed as not loaded. */
const MAX_CHANGES_NOW = 200;

/** The first files, as many as are printed at once; a file is printed whole. */
export function printedFiles(files: readonly FileChanges[]): FileChanges[] {
  let changes = 0;
  const after = files.findIndex((file, index) => {
    changes += file.changes.length;
    return index > 0 && changes > MAX_PRINTED_CHANGES;
  });
  return files.slice(0, after === -1 ? undefined : after);
}

/** Fetches the changes that nobody has scrolled to yet, while the browser waits to print. */
export function loadChangesNow(
  client: QueryClient,
  sessionId: SessionId,
  selection: Selection,
  root: string | null,
): void {
  const files = changedFiles(knownFiles(client, sessionId), selection, root);
  const changes = printedFiles(files).flatMap((file) => file.changes);
  const missing = changes.filter((change) => !client.getQueryData(changeKey(sessionId, change)));
  for (const change of missing.slice(0, MAX_CHANGES_NOW)) {
    const call = api.callNow(sessionId, change.recordId, change.block);
    if (call) client.setQueryData(changeKey(sessionId, change), call);
  }
}
