import { keepPreviousData, queryOptions, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { structuredPatch } from "diff";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import { comparablePath } from "@/lib/format/text";
import type { BlameRange, FileAt, FileGap, FileSource, FileVersion, TouchedFile } from "@/lib/wire/files";
import type { SessionId } from "@/lib/wire/ids";
import type { FileDiff } from "@/lib/wire/record";
import { diffOfHunks } from "../changes/net-diff";

/** A file's versions. `revision` is that of the session, with which they are asked for again. */
export function useFileVersions(sessionId: SessionId, path: string, revision: number | null) {
  return useQuery({
    queryKey: ["file-versions", sessionId, path, revision],
    queryFn: ({ signal }) => api.fileVersions(sessionId, path, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Every file that the session's calls read or changed. */
export function useTouchedFiles(sessionId: SessionId) {
  return useQuery({
    queryKey: ["touched-files", sessionId],
    queryFn: ({ signal }) => api.touchedFiles(sessionId, { signal }),
    gcTime: 30_000,
  });
}

/** A file in a list; `null` where no patches of it are recorded. */
export type OfferedFile = { path: string; added: number | null; removed: number | null };

/**
 * The files to choose from: those with recorded changes in their order, then those that agents changed (from 2.1.29 on
 * their patches are not recorded), and with `all` those that were only read. The shown one is always there.
 */
export function listedFiles(
  changed: readonly OfferedFile[],
  touched: readonly TouchedFile[],
  shown: string,
  all: boolean,
): OfferedFile[] {
  const known = new Set(changed.map(({ path }) => comparablePath(path)));
  const isShown = ({ path }: Pick<OfferedFile, "path">) => comparablePath(path) === comparablePath(shown);
  const others = touched.filter(
    (file) => !known.has(comparablePath(file.path)) && (all || file.changes > 0 || isShown(file)),
  );
  const listed = [...changed, ...others.map(({ path }) => ({ path, added: null, removed: null }))];
  return listed.some(isShown) ? listed : [{ path: shown, added: null, removed: null }, ...listed];
}

/** A file at a point of a session, and which call each of its lines is from. */
export type BlamedFile = { file: FileAt; blame: BlameRange[] };

/** The file at a version; the one before stays until it is there. */
export function useFile(sessionId: SessionId, path: string, version: string | null) {
  return useQuery({ ...fileQuery(sessionId, path, version), ...asVersion(version) });
}

/** The same with who wrote its lines. `compared`: the version that it will be compared with, `null` for none. */
export function useFileAt(
  sessionId: SessionId,
  path: string,
  version: string | null,
  compared: string | null,
) {
  return useQuery({
    queryKey: ["blamed-file", sessionId, path, version],
    // All in one answer: to ask costs the page more of a frame than to read what it says.
    queryFn: async ({ client, signal }): Promise<BlamedFile> => {
      const keyOf = (of: string | null) => fileQuery(sessionId, path, of).queryKey;
      const against = client.getQueryData(keyOf(compared)) ? null : compared;
      const asked = { path, at: version, blame: true, against };
      const { blame = [], against: other, ...file } = await api.file(sessionId, asked, { signal });
      client.setQueryData(keyOf(version), file);
      if (other) client.setQueryData(keyOf(against), other);
      return { file, blame };
    },
    ...asVersion(version),
  });
}

/** The query of a file at a version, `null` for how it ended. */
export function fileQuery(sessionId: SessionId, path: string, version: string | null) {
  return queryOptions({
    queryKey: ["file-at", sessionId, path, version],
    queryFn: ({ signal }) => api.file(sessionId, { path, at: version }, { signal }),
    gcTime: KEPT_MS,
  });
}

const KEPT_MS = 60_000;

/** That a version is asked for is nothing to draw: the one before is still there. */
function asVersion(version: string | null) {
  return {
    enabled: version !== null,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    notifyOnChangeProps: ["data", "error"],
  } satisfies Partial<UseQueryOptions>;
}

/** `v0` is what was there before the session changed it; a file that it created begins with `v1`. */
export function versionName(versions: readonly FileVersion[], index: number): string {
  return `v${index + (versions[0]?.kind === "read" ? 0 : 1)}`;
}

/** The version that another one is compared with: the chosen one, else the one before it; -1 for none of both. */
export function otherThan(index: number, chosen: number): number {
  return chosen === -1 ? index - 1 : chosen;
}

/** What a version is by: its tool, or what is known of it. `agentName` names the agent that made it. */
export function formatStep(
  versions: readonly FileVersion[],
  { kind, tool, agentId, sameAs }: FileVersion,
  agentName: string | null,
): string {
  if (kind === "outside") {
    const same = versions.findIndex(({ id }) => id === sameAs);
    return same === -1 ? "changed outside" : `put back to ${versionName(versions, same)}`;
  }
  if (kind === "deleted") return "gone";
  const by = agentId === null ? "" : ` by ${agentName ?? "an agent"}`;
  return `${tool ?? (kind === "read" ? "First seen" : "Change")}${by}`;
}

const SOURCES: Readonly<Record<FileSource, string>> = {
  write: "a write of the whole file",
  original: "the file recorded before the change, and the change",
  edit: "the version before, and the change",
  read: "what was read of it",
  backup: "a backup that the client made",
  nothing: "nothing: the log does not say where this change was made",
};

/** What a version is known from. */
export function formatSource(source: FileSource): string {
  return SOURCES[source];
}

/** Lines of a version that no log holds; `null` where all are known. */
export function formatMissing(gaps: readonly FileGap[]): string | null {
  if (gaps.length === 0) return null;
  const isOpen = gaps.some(({ toLine }) => toLine === null);
  const lines = gaps.reduce(
    (sum, { fromLine, toLine }) => sum + (toLine === null ? 0 : toLine - fromLine + 1),
    0,
  );
  if (lines === 0) return "how the file goes on";
  return `${formatPlural(lines, "line")}${isOpen ? ", and how the file goes on" : ""}`;
}

/** A line of a file on screen, or a place of which no log holds the lines. */
export type FileItem =
  | { kind: "line"; line: number; blame: BlameRange | null; first: boolean }
  | { kind: "gap"; gap: FileGap };

/** The lines of a file in order, with its gaps in their places. */
export function fileItems({ file, blame }: BlamedFile): FileItem[] {
  if (file.content === null) return file.gaps.map((gap) => ({ kind: "gap", gap }));
  const count = shownLines(file.content).length;
  const items: FileItem[] = [];
  const gaps = [...file.gaps];
  let range = 0;
  for (let line = 1; line <= count; line++) {
    const gap = gaps[0];
    if (gap && gap.fromLine <= line) {
      items.push({ kind: "gap", gap });
      gaps.shift();
      line = gap.toLine ?? count;
      continue;
    }
    while ((blame[range]?.toLine ?? Number.POSITIVE_INFINITY) < line) range += 1;
    const own = blame[range];
    const isIn = own !== undefined && own.fromLine <= line;
    items.push({
      kind: "line",
      line,
      blame: isIn ? own : null,
      first: isIn && (own.fromLine === line || items.at(-1)?.kind === "gap"),
    });
  }
  for (const gap of gaps) items.push({ kind: "gap", gap });
  return items;
}

/**
 * The line beside one that is pointed at, in either direction; the first one or the last where none is.
 * @param ofOther the first line of what another step wrote, of several lines that stand together
 * @returns `null` where there is none
 */
export function lineBeside(
  items: readonly FileItem[],
  line: number | null,
  by: 1 | -1,
  ofOther: boolean,
): number | null {
  const lines = items.flatMap((item) =>
    item.kind === "line" && (!ofOther || item.first) ? [item.line] : [],
  );
  if (line === null) return (by === 1 ? lines[0] : lines.at(-1)) ?? null;
  return (by === 1 ? lines.find((one) => one > line) : lines.findLast((one) => one < line)) ?? null;
}

/** The text of a file as it is highlighted: without its last newline. */
export function codeOf({ content }: Pick<FileAt, "content">): string {
  const text = content ?? "";
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/** The lines of a text, of an empty one none; what follows its last newline is none. */
export function shownLines(content: string): string[] {
  return content === "" ? [] : content.replace(/\n$/, "").split("\n");
}

/** Edits, in lines, that a comparison of long files may need. */
const MAX_LINE_EDITS = 1_500;

/**
 * What turns one version into another; `null` where they differ too much. The limit is one of work and not of time, so
 * that a slower machine shows the same: the work is about the edits, times the edits or the lines of the shorter file.
 */
export function versionDiff(path: string, before: FileAt, after: FileAt): FileDiff | null {
  const [old, made] = [before.content ?? "", after.content ?? ""];
  const shorter = Math.max(1, Math.min(shownLines(old).length, shownLines(made).length));
  const patch = structuredPatch(path, path, old, made, "", "", {
    context: 3,
    maxEditLength: Math.max(MAX_LINE_EDITS, MAX_LINE_EDITS ** 2 / shorter),
  });
  if (!patch) return null;
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.filter((line) => !line.startsWith("\\")),
  }));
  return diffOfHunks(path, hunks);
}
