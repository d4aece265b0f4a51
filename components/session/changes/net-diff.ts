import { diffArrays } from "diff";
import type { FileDiff, Hunk } from "@/lib/wire/record";

/**
 * What a file's recorded changes come to. `apart`: they cannot be joined, since change `at` does not begin where the
 * ones before it ended (something else wrote the file), or since it has no line numbers.
 */
export type NetDiff =
  | { kind: "net"; diff: FileDiff }
  | { kind: "apart"; at: number; why: "between" | "numbers" };

/** Joins the changes of one file, in order, into one, without its lines that were changed and changed back. */
export function netDiff(diffs: readonly FileDiff[]): NetDiff {
  const [first] = diffs;
  const text = new PatchedText(first?.change === "created");
  for (const [at, diff] of diffs.entries()) {
    if (diff.change === "created" && at > 0) return { kind: "apart", at, why: "between" };
    if (diff.computed) return { kind: "apart", at, why: "numbers" };
    if (!text.apply(diff.hunks)) return { kind: "apart", at, why: "between" };
  }
  const diff = diffOfHunks(first?.path ?? "", text.hunks());
  return { kind: "net", diff: first?.change === "created" ? { ...diff, change: "created" } : diff };
}

/** A change of an existing file, or none, of which the hunks are all that is known. */
export function diffOfHunks(path: string, hunks: Hunk[]): FileDiff {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === sign).length, 0);
  return {
    path,
    hunks,
    change: hunks.length === 0 ? "unchanged" : "updated",
    computed: false,
    userModified: false,
    replaceAll: false,
    places: null,
    added: count("+"),
    removed: count("-"),
  };
}

/** Lines of the file as it is: `from`, lines of the original by number, from 1; or lines that were added. */
type Piece = { from: number; count: number } | { added: string[] };

const CONTEXT = 3;

/** A file of which only the patched lines are known. */
class PatchedText {
  #pieces: Piece[];
  /** Lines of the original that a patch has shown. */
  readonly #known = new Map<number, string>();

  constructor(isEmpty: boolean) {
    this.#pieces = isEmpty ? [] : [{ from: 1, count: Number.POSITIVE_INFINITY }];
  }

  /** Whether the patch fits the file. From its last hunk on, so that the lines above keep their numbers. */
  apply(hunks: readonly Hunk[]): boolean {
    return hunks.toReversed().every((hunk) => this.#applyHunk(hunk));
  }

  #applyHunk({ oldStart, lines }: Hunk): boolean {
    let place = this.#split(Math.max(1, oldStart));
    if (place === null) return false;
    for (const raw of lines) {
      if (raw[0] === "\\") continue;
      const line = raw.slice(1);
      if (raw[0] === "+") {
        this.#pieces.splice(place, 0, { added: [line] });
        place += 1;
        continue;
      }
      if (!this.#takeLine(place, line)) return false;
      if (raw[0] === "-") this.#pieces.splice(place, 1);
      else place += 1;
    }
    return true;
  }

  /** Makes the first line of the piece at `place` a piece of its own, if it can be this one. */
  #takeLine(place: number, line: string): boolean {
    const piece = this.#pieces[place];
    if (piece === undefined) return false;
    if ("added" in piece) {
      if (piece.added.length > 1)
        this.#pieces.splice(place, 1, { added: piece.added.slice(0, 1) }, { added: piece.added.slice(1) });
      return piece.added[0] === line;
    }
    const { from, count } = piece;
    if (count > 1) this.#pieces.splice(place, 1, { from, count: 1 }, { from: from + 1, count: count - 1 });
    if ((this.#known.get(from) ?? line) !== line) return false;
    this.#known.set(from, line);
    return true;
  }

  /** Makes a piece begin at this line, and returns its place; `null` beyond the end of the file. */
  #split(line: number): number | null {
    let start = 1;
    for (const [place, piece] of this.#pieces.entries()) {
      if (start === line) return place;
      const count = "added" in piece ? piece.added.length : piece.count;
      if (line < start + count) {
        const before = line - start;
        const halves: Piece[] =
          "added" in piece
            ? [{ added: piece.added.slice(0, before) }, { added: piece.added.slice(before) }]
            : [
                { from: piece.from, count: before },
                { from: piece.from + before, count: count - before },
              ];
        this.#pieces.splice(place, 1, ...halves);
        return place + 1;
      }
      start += count;
    }
    return start === line ? this.#pieces.length : null;
  }

  /** The difference between the original and the file as it is, with the lines around it that are known. */
  hunks(): Hunk[] {
    const changes = this.#changes();
    const hunks: Hunk[] = [];
    let shift = 0;
    for (let at = 0; at < changes.length; ) {
      let end = at + 1;
      while (end < changes.length && this.#isNear(changes[end - 1], changes[end])) end += 1;
      const group = changes.slice(at, end);
      const hunk = this.#hunk(group, shift);
      hunks.push(hunk);
      shift += hunk.newLines - hunk.oldLines;
      at = end;
    }
    return hunks;
  }

  /** Where original lines are missing or others stand in their place. */
  #changes(): Change[] {
    const changes: Change[] = [];
    let next = 1;
    let added: string[] = [];
    const close = (until: number) => {
      const removed = Array.from({ length: until - next }, (_, n) => this.#known.get(next + n) ?? "");
      changes.push(...changedParts(next, removed, added));
      added = [];
    };
    for (const piece of this.#pieces) {
      if ("added" in piece) {
        for (const line of piece.added) added.push(line);
        continue;
      }
      close(piece.from);
      next = piece.from + piece.count;
    }
    if (Number.isFinite(next)) close(next);
    return changes;
  }

  #isNear(before: Change | undefined, after: Change | undefined): boolean {
    if (!before || !after) return false;
    const from = before.at + before.removed.length;
    if (after.at - from > 2 * CONTEXT) return false;
    for (let line = from; line < after.at; line++) if (!this.#known.has(line)) return false;
    return true;
  }

  #hunk(group: readonly Change[], shift: number): Hunk {
    const first = group[0] as Change;
    const last = group.at(-1) as Change;
    let oldStart = first.at;
    while (oldStart > 1 && first.at - oldStart < CONTEXT && this.#known.has(oldStart - 1)) oldStart -= 1;
    const end = last.at + last.removed.length;
    let oldEnd = end;
    while (oldEnd - end < CONTEXT && this.#known.has(oldEnd)) oldEnd += 1;
    const lines: string[] = [];
    let next = oldStart;
    const context = (until: number) => {
      for (; next < until; next++) lines.push(` ${this.#known.get(next)}`);
    };
    for (const { at, removed, added } of group) {
      context(at);
      for (const line of removed) lines.push(`-${line}`);
      for (const line of added) lines.push(`+${line}`);
      next = at + removed.length;
    }
    context(oldEnd);
    const oldLines = oldEnd - oldStart;
    const newLines = lines.filter((line) => line[0] !== "-").length;
    return { oldStart, oldLines, newStart: oldStart + shift, newLines, lines };
  }
}

/** From original line `at` on, these lines were replaced by those. */
type Change = { at: number; removed: string[]; added: string[] };

/** A replacement without the lines that it puts back as they were. */
function changedParts(at: number, removed: readonly string[], added: readonly string[]): Change[] {
  const changes: Change[] = [];
  let open: Change | null = null;
  let line = at;
  for (const part of diffArrays([...removed], [...added])) {
    if (!part.added && !part.removed) {
      line += part.value.length;
      open = null;
      continue;
    }
    if (open === null) {
      open = { at: line, removed: [], added: [] };
      changes.push(open);
    }
    for (const value of part.value) (part.removed ? open.removed : open.added).push(value);
    if (part.removed) line += part.value.length;
  }
  return changes;
}
