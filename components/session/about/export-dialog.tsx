import { useState } from "react";
import { RedactionPreview } from "@/components/share/redaction-preview";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { afterWrites } from "@/lib/client/address";
import { api } from "@/lib/client/api";
import { useShared } from "@/lib/client/use-shared";
import { EXPORT_FORMAT_IDS, EXPORT_FORMATS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";

/** A session as a file: one download for each format, with its secrets replaced if the reader says so. */
export function ExportDialog({
  session,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const shared = useShared();
  const [isRedacted, setRedacted] = useState(false);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const download = (format: ExportFormat) =>
    downloadExport(session.id, format, isRedacted ? kept : null).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : "The download failed", "err"),
    );
  return (
    <Dialog
      title="Export"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        shared
          ? shared.redacted
            ? "Secrets are replaced in every file, as on this page."
            : "Exports are not redacted, as this page is not."
          : isRedacted
            ? "What has no known form is not found: read the file before you share it. Images stay as they are."
            : "Exports are not redacted. Check for secrets before you share one."
      }
    >
      <ul className="py-1">
        {EXPORT_FORMAT_IDS.map((format, index) => {
          const { name, about } = EXPORT_FORMATS[format];
          return (
            <li
              key={format}
              className="flex min-h-9 items-center gap-2 border-b border-line px-4 py-1.5 text-12/4 last:border-b-0"
            >
              <span className="w-24 flex-none font-semibold max-sm:w-20">{name}</span>
              <span className="min-w-0 flex-1 text-fg-2">{about}</span>
              <Button
                kind={index === 0 ? "primary" : "plain"}
                aria-label={`Download ${name}`}
                data-autofocus={index === 0 ? "" : undefined}
                onClick={() => {
                  onOpenChange(false);
                  void download(format);
                }}
              >
                Download
              </Button>
            </li>
          );
        })}
      </ul>
      {shared ? null : (
        <div className="border-t border-line px-4 py-2 text-12">
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={isRedacted} onChange={() => setRedacted(!isRedacted)} />
            Redact secrets
          </label>
          {isRedacted ? <RedactionPreview id={session.id} kept={kept} onKeep={setKept} /> : null}
        </div>
      )}
    </Dialog>
  );
}

/**
 * Downloads a session. The browser's own download can't send the token, so it carries a ticket that is valid once, for
 * this URL, for a minute. Throws `ApiError`.
 */
async function downloadExport(
  id: SessionId,
  format: ExportFormat,
  kept: ReadonlySet<string> | null,
): Promise<void> {
  const except = [...(kept ?? [])].map((name) => name.replace(" ", ".")).join(",");
  const redact = kept === null ? "" : `&redact=1${except && `&except=${except}`}`;
  const path = `/api/sessions/${encodeURIComponent(id)}/export?format=${format}${redact}`;
  const { ticket } = await api.ticket({ path });
  // Behind the way back from this dialog, which would end it.
  afterWrites(() => window.location.assign(`${path}&ticket=${ticket}`));
}
