import { useQuery } from "@tanstack/react-query";
import { Download, FileText } from "lucide-react";
import { useLayoutEffect, useState } from "react";
import { LeftOutButton, LeftOutLine } from "@/components/content/code/code-line";
import { OutputText } from "@/components/content/code/output-text";
import { useUnfolded } from "@/components/content/row-state";
import { VisibleText } from "@/components/content/text/visible-text";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { DetailState } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { saveFile } from "@/lib/client/save-file";
import { formatBytes } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/rows";

/** An image as a thumbnail that opens at full size; a document as its name and size. */
export function BlobView({ sessionId, blob }: { sessionId: SessionId; blob: BlobRef }) {
  const { url, error } = useBlobUrl(sessionId, blob);
  const title = formatTitledBlob(blob);
  if (blob.kind !== "image" || !blob.mediaType?.startsWith("image/") || error) {
    return (
      <span className="inline-flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-1 border border-line-2 px-2 text-12 text-fg-2">
        <Icon of={FileText} small />
        <span className="min-w-0 truncate" title={labelHidden(title)}>
          <VisibleText text={title} />
        </span>
        {error && (
          <span className={`flex-none ${isLeftOut(error) ? "text-fg-3" : "text-err"}`}>{error.message}</span>
        )}
        {blob.kind === "document" && <SaveBlob sessionId={sessionId} blob={blob} />}
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-label={labelHidden(`Show at full size: ${title}`)}
      title={labelHidden(title)}
      onClick={() => openPageDialog({ image: blob, sessionId })}
      className="block h-34 w-60 overflow-hidden rounded-1 border border-line-2 bg-raised"
    >
      {url && <img src={url} alt={title} className="size-full object-scale-down" />}
    </button>
  );
}

/** Whether an exported file was made without it: nothing went wrong. */
function isLeftOut(error: Error): boolean {
  return error instanceof ApiError && error.code === "not-in-file";
}

/** An image at full size, over the page. */
export function ImageDialog({
  sessionId,
  image,
  onOpenChange,
}: {
  sessionId: SessionId;
  image: BlobRef;
  onOpenChange: (open: boolean) => void;
}) {
  const { url, error } = useBlobUrl(sessionId, image);
  const title = formatTitledBlob(image);
  return (
    <Dialog title={labelHidden(title)} open onOpenChange={onOpenChange} className="max-w-[min(1400px,96vw)]">
      {url && <img src={url} alt={title} className="mx-auto block max-w-full p-4" />}
      {error && <p className="p-4 text-err">{error.message}</p>}
    </Dialog>
  );
}

const NAMES = new Map([
  ["image/png", "PNG"],
  ["image/jpeg", "JPEG"],
  ["image/gif", "GIF"],
  ["image/webp", "WebP"],
  ["application/pdf", "PDF"],
]);

/** A blob's type and size: `PNG, 84 kB`. */
export function formatBlob({ mediaType, kind, bytes, name: title }: BlobRef): string {
  // For a document without a title, the log's media type is in the name field.
  const type = mediaType ?? (title && NAMES.has(title) ? title : null);
  const name = type ? (NAMES.get(type) ?? type) : kind;
  return bytes === null ? name : `${name}, ${formatBytes(bytes)}`;
}

/** The same, preceded by the title if there is one. */
function formatTitledBlob(blob: BlobRef): string {
  const title = blob.name !== null && NAMES.has(blob.name) ? null : blob.name;
  return [title, formatBlob(blob)].filter(Boolean).join(" · ");
}

/** Downloads a document from the log. Documents are never opened in the page, since they can contain scripts. */
function SaveBlob({ sessionId, blob }: { sessionId: SessionId; blob: BlobRef }) {
  return (
    <button
      type="button"
      className="inline-flex flex-none items-center gap-1 text-accent hover:underline"
      onClick={() => void save(sessionId, blob)}
    >
      <Icon of={Download} small />
      Save
    </button>
  );
}

async function save(sessionId: SessionId, blob: BlobRef): Promise<void> {
  try {
    saveFile(fileName(blob), await api.blob(sessionId, blob), "application/octet-stream");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(error.words, "err");
  }
}

function fileName({ name, mediaType, recordId, n }: BlobRef): string {
  const plain = name
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/[^\w. -]/g, "_");
  if (plain && plain.includes(".")) return plain;
  return `${recordId.replace(/\W/g, "-")}-${n}.${mediaType === "application/pdf" ? "pdf" : "bin"}`;
}

/** Media types that the page displays. All others, SVG included, are offered for download or shown as text. */
const DISPLAYED_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * The object URLs of images in the page, and how many views show each: a browser shows an image of the same address at
 * once, where one of another would have to be loaded, which what is printed does not wait for.
 */
const SHARED_URLS = new WeakMap<Blob, { url: string; views: number }>();

/** An object URL for an `<img>`, which can't send the token itself. `null` until loaded, and for other media types. */
function useBlobUrl(sessionId: SessionId, blob: BlobRef): { url: string | null; error: Error | null } {
  const shown = blob.mediaType !== null && DISPLAYED_TYPES.has(blob.mediaType);
  const { data, error } = useQuery({
    queryKey: ["blob", sessionId, blob.recordId, blob.n],
    queryFn: ({ signal }) => api.blob(sessionId, blob, { signal }),
    enabled: shown,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const [url, setUrl] = useState<string | null>(null);
  // Before anything is painted: a sheet is printed as soon as it is in the page.
  useLayoutEffect(() => {
    if (!data) return;
    // The media type that was checked above, not the one in the response.
    const shared = SHARED_URLS.get(data) ?? {
      url: URL.createObjectURL(new Blob([data], { type: blob.mediaType ?? "" })),
      views: 0,
    };
    SHARED_URLS.set(data, shared);
    shared.views++;
    setUrl(shared.url);
    return () => {
      setUrl(null);
      if (--shared.views > 0) return;
      URL.revokeObjectURL(shared.url);
      SHARED_URLS.delete(data);
    };
  }, [data, blob.mediaType]);
  return { url, error };
}

/** Up to this size an output is read at once: it is on this machine, and a reader who opens it wants to see its end. */
const READ_AT_ONCE_BYTES = 2 << 20;

/**
 * Tool output that the client moved to its own file because it was too long for the log. `preview` is what the log has
 * of it, shown until the file has been read.
 */
export function ToolResultFile({
  sessionId,
  blob,
  preview,
}: {
  sessionId: SessionId;
  blob: BlobRef;
  preview: string;
}) {
  const [asked, setAsked] = useUnfolded(
    `file ${blob.recordId} ${blob.n}`,
    blob.bytes !== null && blob.bytes <= READ_AT_ONCE_BYTES,
  );
  const query = useQuery({
    queryKey: ["tool-result-file", sessionId, blob.recordId, blob.n],
    queryFn: async ({ signal }) => (await api.blob(sessionId, blob, { signal })).text(),
    enabled: asked,
    // For a reader who scrolls past it and back.
    gcTime: 30_000,
  });
  const size = blob.bytes === null ? "" : formatBytes(blob.bytes);
  if (query.data !== undefined) return <OutputText text={query.data} />;
  return (
    <>
      {preview !== "" && <OutputText text={preview} />}
      {asked && query.error && <DetailState query={query} />}
      {!asked && (
        <LeftOutLine words={`The rest is in ${blob.name ?? "a file"}`}>
          <LeftOutButton unfolds onClick={() => setAsked(true)}>
            Show all {size}
          </LeftOutButton>
        </LeftOutLine>
      )}
    </>
  );
}
