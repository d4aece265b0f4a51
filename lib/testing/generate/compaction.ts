import { writeOpeningAttachments } from "./attachments";
import { startRequestsAnew } from "./request-records";
import { pass, type Transcript, writeNode } from "./transcript";

/** Compacts as the client does by itself: a boundary without parent, then the summary as a user line. */
export function writeCompaction(transcript: Transcript): void {
  const { context } = transcript;
  const { dialect, prose, truth } = context;
  const preTokens = context.contextTokens;
  context.contextTokens = 6000;
  truth.compactions++;
  pass(context, 30_000);
  const newest =
    dialect.extras === "attachments"
      ? {
          durationMs: 30_000,
          postTokens: context.contextTokens,
          cumulativeDroppedTokens: preTokens - context.contextTokens,
        }
      : {};
  writeBoundary(transcript, { trigger: "auto", preTokens, ...newest });
  const content = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n${prose.markdown(Math.max(200, 5000 * context.plan.textScale))}`;
  writeNode(
    transcript,
    transcript.leaf,
    { type: "user", message: { role: "user", content } },
    { isVisibleInTranscriptOnly: true, isCompactSummary: true },
  );
  startRequestsAnew(transcript);
  writeOpeningAttachments(transcript);
}

function writeBoundary(transcript: Transcript, compactMetadata: Record<string, unknown>): void {
  const logicalParentUuid = transcript.leaf;
  const body = {
    logicalParentUuid,
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    isMeta: false,
  };
  writeNode(transcript, null, body, { level: "info", compactMetadata });
}
