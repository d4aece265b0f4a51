import { splitPath } from "./text";

/** A character that leaves something to see: neither a blank, nor a control or format character, nor a filler. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nothing of a name would be seen: it is empty, or of blanks and invisible characters alone. */
export function isBlankName(name: string | null | undefined): boolean {
  return !name || !VISIBLE.test(name);
}

/** A name as it is shown: what a log calls something may be of blanks alone, with nothing to read or to click. */
export function shownName(name: string | null | undefined, otherwise = "(blank name)"): string {
  return name && !isBlankName(name) ? name : otherwise;
}

/** A session’s title as it is shown; one without any is said to have none. */
export function shownTitle(title: string | null | undefined): string {
  return shownName(title, "Untitled session");
}

/** What a project or a folder is called: the last part of its path. */
export function folderName(path: string): string {
  return shownName(splitPath(path).name);
}
