import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { afterWrites } from "@/lib/client/address";
import { readApiError } from "@/lib/client/api";
import { currentToken } from "@/lib/client/token";
import { EXPORT_FORMAT_IDS, EXPORT_FORMATS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";

/** A session as a file: one download for each format. Exports are complete, secrets included, and say so. */
export function ExportDialog({
  session,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const download = (format: ExportFormat) =>
    downloadExport(session.id, format).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : "The download failed", "err"),
    );
  return (
    <Dialog
      title="Export"
      open={open}
      onOpenChange={onOpenChange}
      footer="Exports are not redacted. Check for secrets before you share one."
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
    </Dialog>
  );
}

/**
 * Downloads a session. The browser's own download can't send the token, so it carries a ticket that is valid once, for
 * this URL, for a minute. Throws `ApiError`.
 */
async function downloadExport(id: SessionId, format: ExportFormat): Promise<void> {
  const path = `/api/sessions/${encodeURIComponent(id)}/export?format=${format}`;
  const response = await fetch("/api/tickets", {
    method: "POST",
    headers: { Authorization: `Bearer ${currentToken() ?? ""}`, "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
  });
  if (!response.ok) throw await readApiError(response);
  const { ticket } = (await response.json()) as { ticket: string };
  // Behind the way back from this dialog, which would end it.
  afterWrites(() => window.location.assign(`${path}&ticket=${ticket}`));
}
