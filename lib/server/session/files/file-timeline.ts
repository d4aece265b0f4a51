import { hash } from "node:crypto";
import { countLines } from "@/lib/log/adding/patch-count";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { Replacement } from "@/lib/tools/applied-edits";
import type { FileSource, FileStepKind } from "@/lib/wire/files";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { Hunk } from "@/lib/wire/record";
import {
  cellEdited,
  edited,
  filledIn,
  fits,
  isComplete,
  type KnownText,
  NOTHING_KNOWN,
  onlySeen,
  type Seen,
  type Splice,
  seenLines,
  spliced,
  splicesBetween,
  wholeText,
} from "./file-text";
import type { CellEdit } from "./notebook-edit";

/** A step that concerns a file. */
export type FileStep = {
  recordId: RecordId;
  block: number;
  /** Its records in the session's table: the one that asks, and the one that reports that it was done. */
  records: readonly number[];
  tool: string | null;
  agentId: AgentId | null;
  turn: number;
  /** When it was done. */
  atMs: number;
  /** Its kind where it changes nothing. */
  source: Extract<FileSource, "read" | "backup" | "original">;
};

/**
 * What the logs say about a file at a step, in the order in which it applies: `before`, then `change`, then `after`.
 */
export type FileEvent = FileStep & { before: Seen | null; change: FileChange | null; after: Seen | null };

export type FileChange =
  | { kind: "write"; content: string; patch: readonly Hunk[] }
  | { kind: "edit"; edits: readonly Replacement[]; patch: readonly Hunk[] }
  /** A notebook's change; `null` where the log does not contain its result. */
  | { kind: "cell"; cell: CellEdit | null; patch: readonly [] };

type How = "wrote" | "outside" | "seen";

/** The origin of a line: a version, by its index in the timeline. */
export type Origin = { version: number; how: How };

type Part = { splices: readonly Splice[]; how: (splice: Splice, lines: readonly (string | null)[]) => How };

/** A version of the file, as its difference from the one before. */
export type TimelineVersion = {
  id: string;
  event: number;
  kind: FileStepKind;
  source: FileSource;
  exists: boolean;
  open: boolean;
  complete: boolean;
  added: number | null;
  removed: number | null;
  sameAs: string | null;
  /** The later event that confirms it, -1 for none. */
  checkedBy: number;
  parts: readonly Part[];
};

/** A file at one of its versions; an unknown line has no origin. */
export type FileState = { text: KnownText; origins: readonly (Origin | null)[] };

/** What is known of a file after a change in an unknown place. */
const LOST: KnownText = { exists: true, lines: [], open: true };

/** A file's versions, built from what the logs say about it, in the order of time. */
export class FileTimeline {
  /** In the order in which they apply. Their contents are not kept: the versions have the result. */
  readonly events: readonly FileStep[];
  readonly versions: TimelineVersion[] = [];
  /** Event → the last version up to it, -1 for none. */
  readonly versionAfter: number[] = [];
  #text: KnownText = NOTHING_KNOWN;
  readonly #contents = new Map<string, string>();

  private constructor(events: readonly FileStep[]) {
    this.events = events;
  }

  /**
   * Builds the versions, in slices: of a file that was written anew hundreds of times that takes seconds.
   * @param found what the logs say of it, in the order of time
   */
  static async of(found: readonly FileEvent[]): Promise<FileTimeline> {
    const events = [...found];
    const steps: FileStep[] = [];
    const timeline = new FileTimeline(steps);
    for (let index = 0; index < events.length; index++) {
      await nextSlice();
      const next = events[index + 1];
      if (next && timeline.#isLate(events[index] as FileEvent, next))
        events.splice(index, 2, next, events[index] as FileEvent);
      const { before, change, after, ...step } = events[index] as FileEvent;
      timeline.#apply({ before, change, after, ...step }, index);
      steps.push(step);
    }
    return timeline;
  }

  #apply(event: FileEvent, index: number): void {
    const key = `${event.recordId}.${event.block}`;
    if (event.before !== null) this.#see(event.before, index, `${key}:before`, event);
    if (event.change !== null) this.#change(event.change, index, key, event);
    const id = event.change === null ? key : `${key}:after`;
    if (event.after !== null) this.#see(event.after, index, id, event);
    this.versionAfter.push(this.versions.length - 1);
  }

  /**
   * A backup that was begun before a change and copied after it (2.0.76): the original recorded with the change
   * decides.
   */
  #isLate(backup: FileEvent, next: FileEvent): boolean {
    if (backup.source !== "backup" || backup.after === null || next.before === null) return false;
    return next.change !== null && !fits(this.#text, backup.after) && fits(this.#text, next.before);
  }

  /** The file at a version, and the origin of each line. Nothing is known before the first version (-1). */
  stateAt(version: number): FileState {
    let lines: (string | null)[] = [];
    let origins: (Origin | null)[] = [];
    const earlier = new Map<string, readonly (Origin | null)[]>();
    for (const [index, { id, kind, sameAs, parts }] of this.versions.slice(0, version + 1).entries()) {
      for (const { splices, how } of parts) {
        const before = lines;
        for (const splice of splices) {
          const origin: Origin = { version: index, how: how(splice, before) };
          const made = splice.insert.map((line) => (line === null ? null : origin));
          lines = spliced(lines, splice.at, splice.remove, splice.insert);
          origins = spliced(origins, splice.at, splice.remove, made);
        }
      }
      // Lines that were restored keep their former origin: a rewind restores files, and does not log it.
      const restored = kind === "outside" && sameAs !== null ? earlier.get(sameAs) : undefined;
      if (restored) origins = [...restored];
      earlier.set(id, origins);
    }
    const last = this.versions[version];
    const text = last ? { exists: last.exists, lines, open: last.open } : NOTHING_KNOWN;
    return { text, origins };
  }

  /**
   * Compares what a step shows with the known state: it confirms that, adds to it, or proves that something else wrote
   * the file.
   */
  #see(seen: Seen, event: number, id: string, { source }: FileEvent): void {
    const before = this.#text;
    const last = this.versions.at(-1);
    if (fits(before, seen)) {
      const text = filledIn(before, seen);
      if (last && last.checkedBy === -1 && last.event !== event) last.checkedBy = event;
      const splices = splicesBetween(before.lines, text.lines);
      const isNews = splices.length > 0 || before.open !== text.open || before.exists === null;
      this.#text = text;
      // The absence of a file before it was created is no version of it.
      if (isNews && text.exists)
        this.#add({ id, event, kind: "read", source }, before, [{ splices, how: () => "seen" }]);
      return;
    }
    const text = onlySeen(seen);
    this.#text = text;
    const isUnknown = (splice: Splice, lines: readonly (string | null)[]) =>
      lines.slice(splice.at, splice.at + splice.remove).includes(null) ||
      (before.open && splice.at + splice.remove >= lines.length);
    const part: Part = {
      splices: splicesBetween(before.lines, text.lines),
      how: (splice, lines) => (isUnknown(splice, lines) ? "seen" : "outside"),
    };
    this.#add({ id, event, kind: text.exists ? "outside" : "deleted", source }, before, [part]);
  }

  #change(change: FileChange, event: number, id: string, { before: original, after }: FileEvent): void {
    const from = this.#text;
    const parts: Part[] = [];
    let before = from;
    const { patch } = change;
    // The lines around a change, as shown by its patch.
    if (!isComplete(before) && change.kind === "edit")
      for (const hunk of patch) {
        const shown = seenLines(hunk.oldStart, oldLines(hunk), null);
        if (fits(before, shown)) before = filledIn(before, shown);
      }
    parts.push({ splices: splicesBetween(from.lines, before.lines), how: () => "seen" });
    let text: KnownText | null;
    if (change.kind === "write") text = onlySeen(wholeText(change.content));
    else if (change.kind === "cell") text = cellEdited(before, change.cell);
    else text = edited(before, change.edits, patch);
    const isLost = text === null;
    text ??= after === null || after === "absent" ? LOST : onlySeen(after);
    parts.push({ splices: splicesBetween(before.lines, text.lines), how: () => (isLost ? "seen" : "wrote") });
    this.#text = text;
    const kind = change.kind !== "write" ? "edit" : from.exists === false ? "create" : "write";
    const told = change.kind === "write" ? "write" : original !== null ? "original" : "edit";
    const source = isLost ? (after === null ? "nothing" : "read") : told;
    this.#add({ id, event, kind, source }, from, parts, change);
  }

  #add(
    step: Pick<TimelineVersion, "id" | "event" | "kind" | "source">,
    before: KnownText,
    parts: readonly Part[],
    change: FileChange | null = null,
  ): void {
    const { exists, open, lines, whole } = this.#text;
    const complete = isComplete(this.#text);
    const content = complete ? hashOf(`${exists} ${whole ?? lines.join("\n")}`) : null;
    const sameAs = content === null ? null : (this.#contents.get(content) ?? null);
    if (content !== null && sameAs === null) this.#contents.set(content, step.id);
    const made = { ...step, exists: exists ?? false, open, complete, sameAs, checkedBy: -1 };
    // A line that was sliced from a text would keep all of that text in memory.
    const kept = parts.flatMap(({ splices, how }) =>
      splices.length === 0 ? [] : { splices: structuredClone(splices), how },
    );
    this.versions.push({ ...made, ...this.#counts(step.kind, before, parts, change), parts: kept });
  }

  /** Added and removed lines: those of the recorded patch, which are counted everywhere else too. */
  #counts(
    kind: FileStepKind,
    before: KnownText,
    parts: readonly Part[],
    change: FileChange | null,
  ): Pick<TimelineVersion, "added" | "removed"> {
    if (kind === "read") return { added: 0, removed: 0 };
    if (kind === "create" && change?.kind === "write")
      return { added: countLines(change.content), removed: 0 };
    const marks = change?.patch.flatMap((hunk) => hunk.lines.map((line) => line[0])) ?? [];
    if (marks.length > 0)
      return {
        added: marks.filter((mark) => mark === "+").length,
        removed: marks.filter((mark) => mark === "-").length,
      };
    if (!isComplete(before) || !isComplete(this.#text)) return { added: null, removed: null };
    const splices = parts.flatMap((part) => part.splices);
    const isCreated = before.exists === false;
    return {
      added: splices.reduce(
        (sum, { insert }) => sum + (isCreated ? countLines(insert.join("\n")) : insert.length),
        0,
      ),
      removed: splices.reduce((sum, { remove }) => sum + remove, 0),
    };
  }
}

function hashOf(text: string): string {
  return hash("sha256", text, "base64");
}

function oldLines({ lines }: Hunk): string[] {
  return lines.filter((line) => line[0] === " " || line[0] === "-").map((line) => line.slice(1));
}
