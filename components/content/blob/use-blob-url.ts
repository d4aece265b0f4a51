import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/row-base";

/** The types a page draws. Anything else, SVG among them, is offered as a file or shown as text. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** An address for an `<img>`, which cannot send the token itself; `null` until loaded or for other types. */
export function useBlobUrl(sessionId: SessionId, blob: BlobRef): { url: string | null; error: Error | null } {
  const shown = blob.mediaType !== null && SHOWN.has(blob.mediaType);
  const { data, error } = useQuery({
    queryKey: ["blob", sessionId, blob.recordId, blob.n],
    queryFn: ({ signal }) => api.blob(sessionId, blob, { signal }),
    enabled: shown,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return;
    // The type that was checked, not the one that the bytes came with.
    const made = URL.createObjectURL(new Blob([data], { type: blob.mediaType ?? "" }));
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [data, blob.mediaType]);
  return { url, error };
}
