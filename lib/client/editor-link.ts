import { fieldsOf } from "@/lib/format/json-values";
import { inAddress } from "@/lib/format/text";
import type { CallDetail } from "@/lib/wire/record";

/** A line of a file on the reader's machine. */
export type EditorPlace = { path: string; line: number };

/** Templates of editors that open a file from a link, for the settings. */
export const EDITORS: readonly { name: string; template: string }[] = [
  { name: "VS Code", template: "vscode://file{path}:{line}" },
  { name: "Cursor", template: "cursor://file{path}:{line}" },
  { name: "Zed", template: "zed://file{path}:{line}" },
  { name: "IntelliJ", template: "idea://open?file={path}&line={line}" },
];

const MAX_TEMPLATE = 200;

/** Schemes that a browser opens itself: as a page, or to run what follows. */
const NO_EDITORS: ReadonlySet<string> = new Set([
  "http",
  "https",
  "ws",
  "wss",
  "ftp",
  "file",
  "blob",
  "data",
  "about",
  "javascript",
  "vbscript",
  "filesystem",
  "view-source",
  "mailto",
  "tel",
]);

/** What is wrong with the template of an editor's links, in words for its reader; `null` for a good one and for none. */
export function editorProblem(template: string): string | null {
  if (template === "") return null;
  if (template.length > MAX_TEMPLATE) return `At most ${MAX_TEMPLATE} characters`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(template)?.[1]?.toLowerCase();
  if (scheme === undefined) return "Begin with the editor’s scheme, as in vscode://";
  if (NO_EDITORS.has(scheme)) return `${scheme}: is opened by the browser, not by an editor`;
  if (!template.includes("{path}")) return "Say where the path goes: {path}";
  const unknown = /\{(?!path\}|line\})[^}]*\}?/.exec(template)?.[0];
  if (unknown !== undefined) return `${unknown} is not known: use {path} and {line}`;
  // Outside the placeholders only what a link may hold.
  if (/[^\x21-\x7e]/.test(template)) return "No spaces or special characters";
  return null;
}

/** The link that opens a place in the editor; `null` where no editor is set or its template is not valid. */
export function editorUrl(template: string, { path, line }: EditorPlace): string | null {
  if (template === "" || editorProblem(template) !== null) return null;
  // A Windows path begins with its drive, and a link's path with a slash.
  const slashed = path.replaceAll("\\", "/");
  const rooted = /^[a-z]:\//i.test(slashed) && !/\?.*\{path\}/.test(template) ? `/${slashed}` : slashed;
  const encoded = rooted.split("/").map(inAddress).join("/").replaceAll("%3A", ":");
  return template.replaceAll("{path}", encoded).replaceAll("{line}", String(line));
}

/** Which line of which file a call is about: the first it changed or read; `null` for a call about no file. */
export function placeOfCall({ input, results, diffs, cwd }: CallDetail): EditorPlace | null {
  const [diff] = diffs;
  const fields = fieldsOf(input);
  const named = diff?.path ?? fields.file_path ?? fields.notebook_path;
  if (typeof named !== "string" || named === "") return null;
  const path = isAbsolute(named) || cwd === null ? named : `${cwd.replace(/[\\/]+$/, "")}/${named}`;
  const hunk = diff && !diff.computed ? diff.hunks[0] : undefined;
  if (hunk) {
    const unchanged = hunk.lines.findIndex((line) => !line.startsWith(" "));
    return { path, line: Math.max(1, hunk.newStart + Math.max(0, unchanged)) };
  }
  const read = fieldsOf(fieldsOf(results[0]?.structured).file).startLine ?? fields.offset;
  return { path, line: typeof read === "number" && read > 0 ? Math.floor(read) : 1 };
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[a-z]:[\\/])/i.test(path);
}
