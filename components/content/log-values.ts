import type { CallDetail } from "@/lib/wire/record";

/** Whether a result of the call says that it failed, or was refused. */
export function hasFailed({ results }: Pick<CallDetail, "results">): boolean {
  return results.some(({ isError }) => isError);
}

/** All text that the call returned, results and blocks in order. `cut`: the record contains more. */
export function resultText({ results }: CallDetail): { text: string; cut: boolean; length: number } {
  const texts = results.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])),
  );
  return {
    text: texts.map(({ text }) => text).join("\n"),
    cut: texts.some(({ cut }) => cut),
    length: texts.reduce((sum, { length }) => sum + length, 0),
  };
}
