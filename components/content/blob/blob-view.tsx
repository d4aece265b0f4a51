import { FileText } from "lucide-react";
import { useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import type { SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/row-base";
import { titledBlobWords } from "./blob-words";
import { SaveBlob } from "./save-blob";
import { useBlobUrl } from "./use-blob-url";

/** A thumbnail that opens at full size; a document is what it is called and how large. */
export function BlobView({ sessionId, blob }: { sessionId: SessionId; blob: BlobRef }) {
  const { url, error } = useBlobUrl(sessionId, blob);
  const [zoomed, setZoomed] = useState(false);
  const words = titledBlobWords(blob);
  if (blob.kind !== "image" || !blob.mediaType?.startsWith("image/") || error) {
    return (
      <span className="inline-flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-1 border border-line-2 px-2 text-12 text-fg-2">
        <Icon of={FileText} small />
        <span className="min-w-0 truncate" title={words}>
          <VisibleText text={words} />
        </span>
        {error && <span className="flex-none text-err">{error.message}</span>}
        {blob.kind === "document" && <SaveBlob sessionId={sessionId} blob={blob} />}
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-label={`Show at full size: ${words}`}
        title={words}
        onClick={() => setZoomed(true)}
        className="block h-34 w-60 overflow-hidden rounded-1 border border-line-2 bg-raised"
      >
        {url && <img src={url} alt={words} className="size-full object-scale-down" />}
      </button>
      <Dialog title={words} open={zoomed} onOpenChange={setZoomed} className="max-w-[min(1400px,96vw)]">
        {url && <img src={url} alt={words} className="mx-auto block max-w-full p-4" />}
      </Dialog>
    </>
  );
}
