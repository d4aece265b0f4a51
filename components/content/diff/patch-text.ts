import type { FileDiff } from "@/lib/wire/record";

/** The change as a patch, as `git apply` takes it. */
export function patchText({ path, hunks }: FileDiff): string {
  const body = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join("\n")}`,
  );
  return `--- ${path}\n+++ ${path}\n${body.join("\n")}\n`;
}

/** The lines that a created file has. */
export function addedText({ hunks }: FileDiff): string {
  return hunks
    .flatMap(({ lines }) => lines.filter((line) => line[0] === "+").map((line) => line.slice(1)))
    .join("\n");
}
