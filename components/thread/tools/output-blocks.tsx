import { JsonTree } from "@/components/inspector/json-tree";
import type { CallDetail } from "@/lib/wire/record";
import type { ToolRow } from "@/lib/wire/rows";
import { BlobView } from "../blob/blob-view";
import { KeptOutput } from "../blob/kept-output";
import { OutputText } from "../code/output-text";
import { MoreText } from "../text/more-text";
import { useThreadActions } from "../thread-context";

/** What a call gave back, block by block: text as terminal output, images, and what else there is as JSON. */
export function OutputBlocks({
  row,
  call,
  errorsRed = true,
}: {
  row: ToolRow;
  call: CallDetail;
  /** Off for commands: a failed one prints in its own colours. */
  errorsRed?: boolean;
}) {
  const { sessionId } = useThreadActions();
  return call.results.map(({ recordId, blocks, isError }) => (
    <div key={recordId}>
      {blocks.map((block, index) => {
        if (block.kind === "text") {
          return (
            <MoreText key={index} row={{ ...row, recordId, block: index }} text={block.text}>
              {(text) => <OutputText text={text} isError={isError && errorsRed} />}
            </MoreText>
          );
        }
        if (block.kind === "blob" && block.blob.kind === "output") {
          return <KeptOutput key={index} sessionId={sessionId} blob={block.blob} />;
        }
        return (
          <div key={index} className="px-3 py-2">
            {block.kind === "blob" ? (
              <BlobView sessionId={sessionId} blob={block.blob} />
            ) : (
              <JsonTree value={block.json} openLevels={3} />
            )}
          </div>
        );
      })}
    </div>
  ));
}
