import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { OutputText } from "@/components/content/code/output-text";
import { Button } from "@/components/ui/button";
import { DetailState } from "@/components/ui/detail-state";
import { api } from "@/lib/client/api";
import { formatBytes } from "@/lib/format/format-bytes";
import type { SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/row-base";

/** Output that the client kept in a file of its own, since it was too long for the log. Loaded when asked for. */
export function KeptOutput({ sessionId, blob }: { sessionId: SessionId; blob: BlobRef }) {
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey: ["kept-output", sessionId, blob.recordId, blob.n],
    queryFn: async ({ signal }) => (await api.blob(sessionId, blob, { signal })).text(),
    enabled: asked,
    gcTime: 0,
  });
  const size = blob.bytes === null ? "" : formatBytes(blob.bytes);
  if (query.data !== undefined) return <OutputText text={query.data} />;
  if (asked) return <DetailState query={query} />;
  return (
    <div className="hatch flex h-6 items-center gap-3 border-y border-line px-3 text-11">
      <span className="truncate bg-panel px-1 text-fg-2">the whole output is in {blob.name ?? "a file"}</span>
      <Button kind="quiet" className="h-5 bg-panel text-accent" onClick={() => setAsked(true)}>
        Load all {size}
      </Button>
    </div>
  );
}
