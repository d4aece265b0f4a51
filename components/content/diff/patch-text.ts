import { listField, textField } from "@/lib/format/json-values";
import { textLines } from "@/lib/format/text";
import { asInPatch } from "@/lib/tools/applied-edits";
import type { SessionId } from "@/lib/wire/ids";
import type { CallDetail, FileDiff, Hunk } from "@/lib/wire/record";
import { type FileTexts, readTexts } from "./file-texts";

/** Whether a change has what `git apply` needs: line numbers, and those of the file, not of a notebook's cell. */
export function isPatch({ computed }: FileDiff, calls: readonly CallDetail[]): boolean {
  return !computed && !calls.some(({ name }) => name === "NotebookEdit");
}

/**
 * A change as a patch for `git apply` in the session's working folder, as far as the log contains enough.
 * @param calls those that made the change, in order
 */
export async function readPatch(
  sessionId: SessionId,
  diff: FileDiff,
  calls: readonly CallDetail[],
): Promise<string> {
  const [first, last] = [calls[0], calls.at(-1)];
  const root = first?.cwd ?? null;
  if (!first || !last || !isPatch(diff, calls)) return patchText({ ...diff, change: "updated" }, root);
  const before = await readTexts(sessionId, first);
  const after = first === last ? before : await readTexts(sessionId, last);
  // An edit that replaces nothing makes a file.
  const edit = listField(first.input, "edits")[0] ?? first.input;
  const isNew = diff.change === "created" || textField(edit, "old_string") === "";
  const texts = { before: isNew ? "" : before.before, after: after.after };
  return patchText({ ...diff, change: isNew ? "created" : diff.change }, root, texts);
}

function patchText(
  { path, hunks, change }: FileDiff,
  root: string | null,
  texts: FileTexts = { before: null, after: [] },
): string {
  const name = relativePath(path, root);
  const [from, to] = [`a/${name}`, `b/${name}`].map(quotedName);
  const isNew = change === "created";
  const body = exactHunks(hunks, texts)
    .filter(({ lines }) => lines.length > 0)
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const ranges = `-${formatRange(oldStart, oldLines)} +${formatRange(newStart, newLines)}`;
      return `@@ ${ranges} @@\n${lines.join("\n")}\n`;
    });
  if (body.length === 0) return isNew ? `diff --git ${from} ${to}\nnew file mode 100644\n` : "";
  return `--- ${isNew ? "/dev/null" : endOfName(from)}\n+++ ${endOfName(to)}\n${body.join("")}`;
}

/** Clients count from the line that is next, patches from the one before where there are no lines. */
function formatRange(start: number, lines: number): string {
  return `${lines === 0 ? Math.max(0, start - 1) : start},${lines}`;
}

/** A path below the root, with slashes; any other one without its first slash, as patches have none. */
function relativePath(path: string, root: string | null): string {
  const isWindows = /^(?:[A-Za-z]:)?\\|^[A-Za-z]:\//.test(path);
  const slashed = (text: string) => (isWindows ? text.replaceAll("\\", "/") : text);
  const folder = root && `${slashed(root).replace(/\/+$/, "")}/`;
  const whole = slashed(path);
  return folder && whole.startsWith(folder) ? whole.slice(folder.length) : whole.replace(/^\/+/, "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A name as git writes it: in quotes where it has characters that would end a line or a quoted name. */
function quotedName(name: string): string {
  const quoted = name.replace(
    /[\u0000-\u001f"\\\u007f]/g,
    (one) => ESCAPES[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return quoted === name ? name : `"${quoted}"`;
}

/** git ends a name with spaces by a tab, since a time could follow. */
function endOfName(name = ""): string {
  return name.includes(" ") ? `${name}\t` : name;
}

/** The lines of a text, and whether the last one ends without a newline. */
type Side = { lines: readonly string[]; isOpen: boolean };

function sideOf(text: string): Side {
  const isOpen = text !== "" && !text.endsWith("\n");
  return { lines: textLines(text), isOpen };
}

/**
 * Hunks with their lines as they are in the file, as far as that is known: clients write tabs at the beginning of a
 * line as spaces, and leave out that the last one ends without a newline.
 */
function exactHunks(hunks: readonly Hunk[], { before, after }: FileTexts): readonly Hunk[] {
  const old = before === null ? null : sideOf(before);
  for (const now of [...after.map(sideOf), null]) {
    const grown = hunks.reduce((sum, hunk) => sum + hunk.newLines - hunk.oldLines, 0);
    if (old && now && now.lines.length - old.lines.length !== grown) continue;
    const exact = hunks.map((hunk) => exactHunk(hunk, old, now));
    if (exact.every((hunk) => hunk !== null)) return exact;
  }
  return hunks;
}

const NO_NEWLINE = "\\ No newline at end of file";

/** `null` where a text has other lines. */
function exactHunk(hunk: Hunk, old: Side | null, now: Side | null): Hunk | null {
  if (!old && !now) return hunk;
  const lines: string[] = [];
  const put = (sign: string, { text, isOpen }: SideLine) =>
    lines.push(`${sign}${text}`, ...(isOpen ? [NO_NEWLINE] : []));
  let [oldLine, newLine] = [Math.max(1, hunk.oldStart), Math.max(1, hunk.newStart)];
  for (const raw of hunk.lines) {
    const sign = raw[0];
    if (sign === "\\") continue;
    const recorded = raw.slice(1);
    const was = sign === "+" ? null : old && lineOf(old, oldLine++);
    const is = sign === "-" ? null : now && lineOf(now, newLine++);
    if ([was, is].some((line) => line && asInPatch(line.text) !== asInPatch(recorded))) return null;
    const left = was ?? is ?? { text: recorded, isOpen: false };
    const right = is ?? left;
    if (sign === "-") put("-", left);
    else if (sign === "+") put("+", right);
    else if (left.text === right.text && left.isOpen === right.isOpen) put(" ", left);
    else {
      put("-", left);
      put("+", right);
    }
  }
  return { ...hunk, lines };
}

type SideLine = { text: string; isOpen: boolean };

/** A line beyond the end of a text cannot equal a recorded one. */
function lineOf({ lines, isOpen }: Side, line: number): SideLine {
  return { text: lines[line - 1] ?? "\n", isOpen: isOpen && line === lines.length };
}
