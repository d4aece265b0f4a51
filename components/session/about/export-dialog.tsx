import { experimental_streamedQuery as streamedQuery, useQuery } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { CommentsContext } from "@/components/session/comments/session-comments";
import { RedactionPreview } from "@/components/share/redaction-preview";
import { Button, CopyButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { CheckField } from "@/components/ui/field";
import { toastFailure } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { downloadExport, formatCommented, formatLoggedPaths, readExport } from "@/lib/client/download-export";
import { useShared } from "@/lib/client/use-health";
import { formatBytes, formatPlural } from "@/lib/format/format";
import { EXPORT_FORMAT_IDS, EXPORT_FORMATS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import type { ExportSize, ExportSizesResponse, SessionDetail } from "@/lib/wire/session";
import {
  type ExportPart,
  ExportPartFields,
  queryOfPart,
  type ReadBranch,
  type ReadSelection,
  WHOLE_SESSION,
} from "./export-part";
import { askedExport, type ExportOptions, exportPath, formatsOfPart } from "./export-query";

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
  const [options, setOptions] = useState<ExportOptions>(AS_USUAL);
  const [lastPart, setPart] = useState<ExportPart>();
  // What was chosen when the dialog was open last may not be there any more.
  const isThere = lastPart !== undefined && (lastPart.what !== "selection" || selection !== null);
  const part: ExportPart = isThere ? lastPart : { ...WHOLE_SESSION, what: selection ? "selection" : "whole" };
  const chosen = queryOfPart(part, branch, selection);
  const offered = formatsOfPart(chosen);
  const asked = askedExport(options, chosen);
  const { data, isFetching } = useQuery({
    queryKey: ["export-sizes", session.id, asked],
    queryFn: streamedQuery<ExportSizes, ExportSizes>({
      streamFn: ({ signal }) => eachSize(session.id, offered, asked, signal),
      reducer: (known, next) => ({ ...known, ...next }),
      initialValue: {},
      refetchMode: "replace",
    }),
    enabled: open && chosen !== null,
  });
  return (
    <Dialog
      title="Export"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        shared
          ? SHARED_SECRETS[shared.redacted ? "redacted" : "whole"]
          : SECRETS[options.redact ? "redacted" : "whole"]
      }
    >
      <ExportPartFields part={part} branch={branch} selection={selection} onChange={setPart} />
      <Formats
        sizes={chosen === null ? {} : (data ?? {})}
        isMeasuring={isFetching}
        pathOf={chosen === null ? null : (format) => exportPath(session.id, format, asked)}
        offered={offered}
        onDownload={() => onOpenChange(false)}
      />
      <OptionFields id={session.id} options={options} mayRedact={!shared} onChange={setOptions} />
    </Dialog>
  );
}

/** Comments are between those who read the session here, until somebody says otherwise. */
const AS_USUAL: ExportOptions = {
  comments: false,
  redact: false,
  kept: new Set(),
  tilde: true,
  relative: false,
};

/** What a file holds of secrets: of the owner's own session, and of one that is shared. */
const SECRETS = {
  redacted:
    "Secrets of no known form are not found: read the file before you share it. Images stay as they are.",
  whole: "Exports are not redacted. Check for secrets before you share one.",
};
const SHARED_SECRETS = {
  redacted: "Secrets are replaced in every file, as on this page.",
  whole: "Exports are not redacted, as this page is not.",
};

/** What goes along with the session, and how paths and secrets are written. `mayRedact`: whether that is the reader's choice. */
function OptionFields({
  id,
  options,
  mayRedact,
  onChange,
}: {
  id: SessionId;
  options: ExportOptions;
  mayRedact: boolean;
  onChange: (options: ExportOptions) => void;
}) {
  const { comments, redact, kept, tilde, relative } = options;
  const { annotations = [] } = useContext(CommentsContext) ?? {};
  const written = annotations.filter(({ kind }) => kind === "comment").length;
  return (
    <div className="grid gap-1 border-t border-line px-4 py-2 text-12">
      {written > 0 && (
        <CheckField checked={comments} onChange={(next) => onChange({ ...options, comments: next })}>
          {formatPlural(written, "comment")} <span className="text-fg-2">in {formatCommented()}</span>
        </CheckField>
      )}
      <CheckField checked={tilde} onChange={(next) => onChange({ ...options, tilde: next })}>
        Home folder as ~ <span className="text-fg-2">except in {formatLoggedPaths()}</span>
      </CheckField>
      <CheckField checked={relative} onChange={(next) => onChange({ ...options, relative: next })}>
        Relative paths in the project <span className="text-fg-2">except in {formatLoggedPaths()}</span>
      </CheckField>
      {mayRedact && (
        <div>
          <CheckField checked={redact} onChange={(next) => onChange({ ...options, redact: next })}>
            Redact secrets
          </CheckField>
          {redact && (
            <RedactionPreview id={id} kept={kept} onKeep={(next) => onChange({ ...options, kept: next })} />
          )}
        </div>
      )}
    </div>
  );
}

type ExportSizes = ExportSizesResponse["sizes"];

/** The sizes of one format after the other: what is known is shown while the next is measured. */
async function* eachSize(
  id: SessionId,
  formats: readonly ExportFormat[],
  asked: Readonly<Record<string, string | null>>,
  signal: AbortSignal,
): AsyncGenerator<ExportSizes> {
  for (const format of formats) yield (await api.exportSizes(id, { ...asked, format }, { signal })).sizes;
}

/**
 * The formats, each with its size, as far as it is known, and its download. `pathOf`: `null` while no part is chosen.
 * `offered`: those that can be without what is left out.
 */
function Formats({
  sizes,
  isMeasuring,
  pathOf,
  offered,
  onDownload,
}: {
  sizes: ExportSizes;
  isMeasuring: boolean;
  pathOf: ((format: ExportFormat) => string) | null;
  offered: readonly ExportFormat[];
  onDownload: () => void;
}) {
  return (
    <ul className="grid grid-cols-[112px_minmax(0,1fr)_minmax(64px,auto)_auto] gap-x-2 py-1 max-sm:grid-cols-[104px_minmax(0,1fr)_auto]">
      {EXPORT_FORMAT_IDS.map((format, index) => {
        const { name, about } = EXPORT_FORMATS[format];
        const size = sizes[format];
        const isOffered = offered.includes(format);
        return (
          <li
            key={format}
            className="col-span-full grid min-h-9 grid-cols-subgrid items-center border-b border-line px-4 py-1.5 text-12/4 last:border-b-0"
          >
            <span className="font-semibold max-sm:self-end">{name}</span>
            <span className="flex items-center gap-2 text-fg-2 max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1">
              <span className="min-w-0 flex-1">{isOffered ? about : "only with all of the session"}</span>
              {format === "md" && pathOf && (
                <CopyButton kind="quiet" label={`Copy as ${name}`} text={() => readExport(pathOf(format))} />
              )}
            </span>
            <span className="text-right whitespace-nowrap text-fg-2 tabular-nums max-sm:col-start-1 max-sm:row-start-2 max-sm:self-start max-sm:text-left">
              {isOffered &&
                (size ? formatSize(size) : isMeasuring ? <span aria-label="being measured">…</span> : null)}
            </span>
            <Button
              kind={index === 0 ? "primary" : "plain"}
              className="justify-center max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1"
              aria-label={`Download ${name}`}
              data-autofocus={index === 0 ? "" : undefined}
              disabled={pathOf === null || !isOffered}
              onClick={() => {
                onDownload();
                if (pathOf) download(pathOf(format));
              }}
            >
              Download
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function download(path: string): void {
  downloadExport(path).catch((error: unknown) => toastFailure(error, "The download failed"));
}

/** Of a file that takes long to be written only a beginning is measured. */
function formatSize({ bytes, isWhole }: ExportSize): string {
  return isWhole ? formatBytes(bytes) : `over ${formatBytes(bytes)}`;
}
