import { Download } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import type { SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/row-base";

/** Saves what the log holds of a document. It is never opened here: a document can hold scripts. */
export function SaveBlob({ sessionId, blob }: { sessionId: SessionId; blob: BlobRef }) {
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
    const data = await api.blob(sessionId, blob);
    const url = URL.createObjectURL(new Blob([data], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = fileName(blob);
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(error.message, "err");
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
