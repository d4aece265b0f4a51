import { useState } from "react";
import { RedactionPreview } from "@/components/share/redaction-preview";
import { Button, CopyButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { downloadExport, exportQuery, readExport } from "@/lib/client/download-export";
import { useShared } from "@/lib/client/use-health";
import { EXPORT_FORMAT_IDS, EXPORT_FORMATS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { SessionDetail } from "@/lib/wire/session";
import {
  type ExportPart,
  ExportPartFields,
  queryOfPart,
  type ReadBranch,
  type ReadSelection,
  WHOLE_SESSION,
} from "./export-part";

/** A session or a part of it as a file: one download for each format, with its secrets replaced if the reader says so. */
export function ExportDialog({
  session,
  branch,
  selection,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  branch: ReadBranch;
  /** The rows that are selected in the thread, where those are several. */
  selection: ReadSelection | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const shared = useShared();
  const [isRedacted, setRedacted] = useState(false);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [asked, setPart] = useState<ExportPart>();
  // What was chosen when the dialog was open last may not be there any more.
  const isThere = asked !== undefined && (asked.what !== "selection" || selection !== null);
  const part = isThere
    ? asked
    : { ...WHOLE_SESSION, what: selection ? ("selection" as const) : ("whole" as const) };
  const chosen = queryOfPart(part, branch, selection);
  const pathOf = (format: ExportFormat) => {
    const except = [...kept].map((name) => name.replace(" ", ".")).join(",");
    const redaction = { redact: isRedacted ? 1 : null, except: isRedacted ? except : null };
    const query = exportQuery({ format, ...redaction, ...chosen });
    return `/api/sessions/${encodeURIComponent(session.id)}/export?${query}`;
  };
  const download = (format: ExportFormat) => {
    downloadExport(pathOf(format)).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : "The download failed", "err"),
    );
  };
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
            ? "Secrets of no known form are not found: read the file before you share it. Images stay as they are."
            : "Exports are not redacted. Check for secrets before you share one."
      }
    >
      <ExportPartFields part={part} branch={branch} selection={selection} onChange={setPart} />
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
              {format === "md" && chosen !== null && (
                <CopyButton kind="quiet" label={`Copy as ${name}`} text={() => readExport(pathOf(format))} />
              )}
              <Button
                kind={index === 0 ? "primary" : "plain"}
                aria-label={`Download ${name}`}
                data-autofocus={index === 0 ? "" : undefined}
                disabled={chosen === null}
                onClick={() => {
                  onOpenChange(false);
                  download(format);
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
