import { readWholeText } from "@/components/content/text/more-text";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { BlobRef } from "@/lib/wire/rows";

/** The file that the client put a call's output into, `null` where the log has it. */
export function keptOutput({ results }: Pick<CallDetail, "results">): BlobRef | null {
  for (const { blocks } of results)
    for (const block of blocks) if (block.kind === "blob" && block.blob.kind === "output") return block.blob;
  return null;
}

/**
 * All that a call returned but for images: what was cut on its way here is read again, and an output that is a file
 * from there. What is no text, as tools of the API answer, is JSON.
 */
export async function wholeOutput(sessionId: SessionId, call: CallDetail): Promise<string> {
  const kept = keptOutput(call);
  if (kept) return (await api.blob(sessionId, kept)).text();
  const texts = call.results.flatMap(({ recordId, blocks }) =>
    blocks.flatMap(async (block) => {
      if (block.kind === "other") return [JSON.stringify(block.json, null, 2)];
      if (block.kind !== "text") return [];
      const whole = block.text.cut ? await readWholeText(sessionId, { recordId }, block.text) : null;
      return [whole ?? block.text.text];
    }),
  );
  return (await Promise.all(texts)).flat().join("\n");
}
