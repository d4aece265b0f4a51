import { BlobView } from "@/components/content/blob/blob-view";
import { blobWords } from "@/components/content/blob/blob-words";
import { useThreadActions } from "@/components/content/row-actions";
import { RowFrame } from "./row-frame";
import { RowLine } from "./row-line";
import type { RowProps } from "./row-props";

/** An image or document that stands in the thread. */
export function BlobRowView({ row, selected }: RowProps<"blob">) {
  const { sessionId } = useThreadActions();
  const { blob } = row;
  const isImage = blob.kind === "image";
  return (
    <RowFrame node={{ shape: "text" }} selected={selected}>
      <RowLine
        row={row}
        open={null}
        name={isImage ? "Image" : blob.kind === "document" ? "Document" : "Output"}
        nameTone="quiet"
        prose
        subject={blob.name ?? ""}
        result={blobWords(blob)}
      />
      {isImage && (
        <div className="pb-2 pl-6 max-sm:pl-0">
          <BlobView sessionId={sessionId} blob={blob} />
        </div>
      )}
    </RowFrame>
  );
}
