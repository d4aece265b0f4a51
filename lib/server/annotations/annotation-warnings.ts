import { formatCount, formatPlural } from "@/lib/format/format";
import { faultCode } from "@/lib/server/disk/file-fault";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { Warning } from "@/lib/wire/library";

/** Lines of the file that are in no annotation; they stay where they are. */
export type UnreadLines = {
  /** How many are of a version that this one cannot read. */
  newer: number;
  /** Where those begin that are no JSON, in bytes. */
  damaged: number[];
};

const SHOWN = 3;

/** The error where the file cannot be read at all, by what the system says of it. */
export function unreadable(cause: unknown, path: string): ViewerError {
  return new ViewerError("annotations-unreadable", "Stars, notes and comments cannot be read", {
    status: 500,
    hint:
      faultCode(cause) === "EISDIR"
        ? "There is something else than a file. Move it away, and put the file back if you have a copy."
        : "Check who may read this file and its folder.",
    path,
    cause,
  });
}

/** What readers are told of the file at `path`: that it cannot be read, or which of its lines are not shown. */
export function warningsOf(
  path: string,
  fault: ViewerError | null,
  { newer, damaged }: UnreadLines,
): Warning[] {
  const warnings: Warning[] = [];
  if (fault) {
    const { code, message, hint } = fault;
    warnings.push({ code, message, hint: hint ?? "", path });
  }
  if (newer > 0)
    warnings.push({
      code: "annotations-newer",
      message: `A newer Backscroll wrote ${formatPlural(newer, "annotation")} that this one can’t read`,
      hint: "Nothing of them is lost. Update this Backscroll to see them.",
    });
  if (damaged.length > 0) {
    const shown = damaged.slice(0, SHOWN).map(formatCount).join(", ");
    const rest = damaged.length > SHOWN ? ` and ${formatCount(damaged.length - SHOWN)} more` : "";
    const they = damaged.length === 1 ? "It stays" : "They stay";
    warnings.push({
      code: "annotations-damaged",
      message: `${formatPlural(damaged.length, "line")} of the file of annotations can’t be read, at byte ${shown}${rest}`,
      hint: `${they} in the file, and everything else is shown. A line is cut short where the disk was full or Backscroll was killed while it was saved: what could not be saved was said then. Otherwise put it back from a copy of the file, or delete it from there to see this no longer.`,
      path,
    });
  }
  return warnings;
}
