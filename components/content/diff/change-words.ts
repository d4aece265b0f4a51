import { formatPlural } from "@/lib/format/format-count";
import type { FileDiff } from "@/lib/wire/record";

/** What became of a file, in words. */
export function changeWords({ change, userModified, replaceAll, places, added }: FileDiff): string {
  if (change === "created") return `created, ${formatPlural(added, "line")}`;
  if (change === "unchanged") return "unchanged";
  const words = [replaceAll ? replacedWords(places) : "updated"];
  if (userModified) words.push("then changed by you before it was saved");
  return words.join(", ");
}

/** A hunk holds several places: only where the client kept the file is it known how many there were. */
function replacedWords(places: number | null): string {
  return places === null ? "replaced all" : `replaced all, ${formatPlural(places, "place")}`;
}
