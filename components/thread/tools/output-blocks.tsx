import { BlobView } from "@/components/content/blob/blob-view";
import { KeptOutput } from "@/components/content/blob/kept-output";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText } from "@/components/content/text/more-text";
import { SectionLine } from "@/components/thread/section-line";
import type { CallDetail, OutputBlock } from "@/lib/wire/record";
import type { ToolRow } from "@/lib/wire/rows";
import { Refusal } from "./refusal";

/** What a call gave back, block by block: text as terminal output, images, and what else there is as JSON. */
export function OutputBlocks({
  row,
  call,
  errorsRed = true,
  plain = withoutWrapping,
  only = "all",
}: {
  row: ToolRow;
  call: CallDetail;
  /** Off for commands: a failed one prints in its own colours. */
  errorsRed?: boolean;
  /** What is left of a text without what the client put around it. */
  plain?: (text: string, isError: boolean) => string;
  /** `media`: the text is shown in another way. */
  only?: "all" | "media";
}) {
  if (call.results.length === 0) return <Unanswered row={row} call={call} />;
  const refused = row.state === "denied" || row.state === "interrupted" ? row.state : null;
  if (refused && call.results.every(({ isError }) => isError)) {
    return <Refusal state={refused} text={resultText(call).text} />;
  }
  return call.results.map(({ recordId, blocks, isError }) => (
    <div key={recordId}>
      {blocks.map((block, index) =>
        only === "media" && block.kind === "text" ? null : (
          <Block
            key={index}
            block={block}
            row={{ ...row, recordId, block: index }}
            isError={isError && errorsRed}
            plain={plain}
          />
        ),
      )}
    </div>
  ));
}

function Block({
  block,
  row,
  isError,
  plain,
}: {
  block: OutputBlock;
  row: ToolRow;
  isError: boolean;
  plain: (text: string, isError: boolean) => string;
}) {
  const { sessionId } = useThreadActions();
  if (block.kind === "text") {
    return (
      <MoreText row={row} text={block.text}>
        {(text) => <OutputText text={plain(text, isError)} isError={isError} />}
      </MoreText>
    );
  }
  if (block.kind === "blob" && block.blob.kind === "output") {
    return <KeptOutput sessionId={sessionId} blob={block.blob} />;
  }
  return (
    <div className="px-3 py-2">
      {block.kind === "blob" ? (
        <BlobView sessionId={sessionId} blob={block.blob} />
      ) : (
        <JsonTree value={block.json} openLevels={3} />
      )}
    </div>
  );
}

/** The client wraps its own errors in a tag that says nothing to a reader. */
function withoutWrapping(text: string, isError: boolean): string {
  return !isError ? text : text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");
}

/** A call that the log has no result of: what is known of it is what it had written by then. */
function Unanswered({ row, call: { partial } }: { row: ToolRow; call: CallDetail }) {
  if (!partial) {
    return (
      <p className="px-3 py-1 text-12 text-fg-3">
        {row.state === "running" ? "No result yet." : "The log has no result for this call."}
      </p>
    );
  }
  return (
    <>
      <SectionLine>no result; what it had written when the log last heard of it</SectionLine>
      <OutputText text={partial.text} />
      {partial.cut && <p className="px-3 pb-1 text-11 text-fg-3">The log holds more of it.</p>}
    </>
  );
}
