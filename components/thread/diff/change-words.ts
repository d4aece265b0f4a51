import { formatPlural } from "@/lib/text/format-count";
import type { FileDiff } from "@/lib/wire/record";

/** What became of a file, in words. */
export function changeWords({ change, userModified, replaceAll, hunks, added }: FileDiff): string {
  if (change === "created") return `created, ${formatPlural(added, "line")}`;
  if (change === "unchanged") return "unchanged";
  const words = [replaceAll ? `replaced all, ${formatPlural(hunks.length, "place")}` : "updated"];
  if (userModified) words.push("then changed by you before it was saved");
  return words.join(", ");
}
