import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Field, Segmented } from "@/components/ui/field";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { useProjects } from "@/lib/client/queries";
import { formatBytes, formatBytesOf, formatCount, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { ArchiveResponse, ArchiveSettings } from "@/lib/wire/archive";
import { SettingSection } from "./setting-section";

const POLL_MS = 2_000;
const SETTINGS = ["archive-settings"];

/** What is kept of the logs, where, and by which rules. The rules are the server's, the same for every browser. */
export function ArchiveSetting() {
  const archive = useQuery({
    queryKey: ["archive"],
    queryFn: ({ signal }) => api.archive({ signal }),
    refetchInterval: POLL_MS,
  });
  const isThere = archive.data ? archive.data.path !== null : false;
  const settings = useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => api.archiveSettings({ signal }),
    enabled: isThere,
  });
  const unread = archive.data ? (settings.data ? null : settings.error) : archive.error;
  return (
    <SettingSection heading="Archive">
      {archive.data ? <Kept archive={archive.data} /> : null}
      {isThere && settings.data ? <Rules settings={settings.data} /> : null}
      {unread && (
        <Line label="Problem">
          <span className="text-err">
            {unread instanceof ApiError ? `${unread.message}. ${unread.hint}` : unread.message}
          </span>
        </Line>
      )}
    </SettingSection>
  );
}

function Kept({ archive }: { archive: ArchiveResponse }) {
  if (archive.path === null)
    return <Line label="Off">Nothing that is read is kept: Backscroll was started without an archive.</Line>;
  const { files, bytes, storedBytes, keptOnly, filling, problems } = archive;
  return (
    <>
      <Line label="Folder">
        <span className="font-mono break-all">{archive.path}</span>
      </Line>
      <Line label="Kept">
        {`${formatPlural(files, "file")}, ${formatBytes(bytes)} in ${formatBytes(storedBytes)}. `}
        {keptOnly > 0
          ? `${formatPlural(keptOnly, "session is", "sessions are")} no longer on disk, only here.`
          : "Every session is still on disk too."}
        {filling ? ` ${formatFilling(filling)}` : ""}
      </Line>
      {problems.map(({ code, message, hint }) => (
        <Line key={code} label="Problem">
          <span className="text-err">{`${message}. ${hint}`}</span>
        </Line>
      ))}
    </>
  );
}

function formatFilling({
  filesDone,
  filesTotal,
  bytesDone,
  bytesTotal,
}: NonNullable<ArchiveResponse["filling"]>): string {
  if (filesTotal === 0) return "What is new is kept when the logs have been read.";
  return `Reading ${formatBytesOf(bytesDone, bytesTotal)}, ${formatCount(filesDone)} of ${formatPlural(filesTotal, "file")}.`;
}

function Rules({ settings }: { settings: ArchiveSettings }) {
  const client = useQueryClient();
  const save = useMutation({
    // All rules are sent: one that is changed while another is being saved waits for that, and goes with it.
    scope: { id: "archive-settings" },
    mutationFn: (change: (now: ArchiveSettings) => Partial<ArchiveSettings>) => {
      const now = client.getQueryData<ArchiveSettings>(SETTINGS) ?? settings;
      return api.saveArchiveSettings({ ...now, ...change(now) });
    },
    onSuccess: (saved) => {
      client.setQueryData(SETTINGS, saved);
      return client.invalidateQueries({ queryKey: ["archive"] });
    },
  });
  return (
    <>
      <Line label="Keep what is read">
        <Segmented
          label="Keep what is read"
          choices={[
            { value: true, label: "On" },
            { value: false, label: "Off" },
          ]}
          value={settings.enabled}
          onChange={(enabled) => save.mutate(() => ({ enabled }))}
        />{" "}
        <span className="text-12 text-fg-3">off removes nothing</span>
      </Line>
      <NumberRule
        label="Grow to at most"
        unit="GB"
        value={settings.maxStoredBytes === null ? null : settings.maxStoredBytes / 1e9}
        toStored={(gigabytes) => Math.round(gigabytes * 1e9)}
        onSave={(maxStoredBytes) => save.mutate(() => ({ maxStoredBytes }))}
      />
      <NumberRule
        label="Leave out files older than"
        unit="days"
        value={settings.maxAgeDays}
        toStored={Math.round}
        onSave={(maxAgeDays) => save.mutate(() => ({ maxAgeDays }))}
      />
      <LeftOut
        folders={settings.leftOut}
        onAdd={(folder) => save.mutate(({ leftOut }) => ({ leftOut: [...leftOut, folder] }))}
        onRemove={(folder) =>
          save.mutate(({ leftOut }) => ({ leftOut: leftOut.filter((one) => one !== folder) }))
        }
      />
      {save.error ? (
        <Line label="Not saved">
          <span role="alert" className="text-err">
            {save.error instanceof ApiError ? save.error.words : save.error.message}
          </span>
        </Line>
      ) : null}
      <Line label="Remove">
        <span className="font-mono">backscroll archive remove</span> lists what would go; with{" "}
        <span className="font-mono">--yes</span> it goes for good.
      </Line>
    </>
  );
}

/** A limit that may be none: saved with Enter or when it is left. */
function NumberRule({
  label,
  unit,
  value,
  toStored,
  onSave,
}: {
  label: string;
  unit: string;
  value: number | null;
  toStored: (value: number) => number;
  onSave: (value: number | null) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = value === null ? "" : String(value);
  const text = (typed ?? shown).trim();
  const stored = text === "" ? null : toStored(Number(text));
  const isValid = stored === null || (Number.isFinite(stored) && stored > 0);
  const save = () => {
    setTyped(null);
    if (typed !== null && isValid && text !== shown) onSave(stored);
  };
  return (
    <Line label={label}>
      <Field
        label={label}
        placeholder="no limit"
        inputMode="decimal"
        className="w-32"
        value={typed ?? shown}
        aria-invalid={!isValid}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === "Enter" && save()}
      >
        {unit}
      </Field>
    </Line>
  );
}

/** Projects by their working directories. What was kept of them stays. */
function LeftOut({
  folders,
  onAdd,
  onRemove,
}: {
  folders: readonly string[];
  onAdd: (folder: string) => void;
  onRemove: (folder: string) => void;
}) {
  const projects = useProjects();
  const [chosen, setChosen] = useState("");
  const list = useRef<HTMLSelectElement>(null);
  const add = () => {
    onAdd(chosen);
    // The button goes, and the focus would go with it.
    list.current?.focus();
  };
  const others = (projects.data ?? []).map(({ path }) => path).filter((path) => !folders.includes(path));
  return (
    <Line label="Projects left out">
      <span className="flex flex-col items-start gap-1">
        {folders.map((folder) => (
          <span key={folder} className="flex min-w-0 items-center gap-2">
            <span className="truncate font-mono">
              <VisibleText text={folder} />
            </span>
            <Button aria-label={labelHidden(`Keep ${folder} again`)} onClick={() => onRemove(folder)}>
              Keep again
            </Button>
          </span>
        ))}
        {/* Chosen and left out are two steps: the arrow keys choose one after another. */}
        <span className="flex max-w-full min-w-0 items-center gap-2">
          <select
            ref={list}
            aria-label="Leave out a project"
            className="h-control min-w-0 rounded-2 border border-line-3 bg-bg px-1 text-12"
            value={others.includes(chosen) ? chosen : ""}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="" disabled>
              {folders.length === 0 ? "None" : "One more"}
            </option>
            {others.map((path) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
          {others.includes(chosen) && <Button onClick={add}>Leave out</Button>}
        </span>
      </span>
    </Line>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-h-9 grid-cols-[168px_minmax(0,1fr)] items-center gap-x-4 border-b border-line px-4 py-1.5 last:border-b-0 max-sm:grid-cols-1 max-sm:gap-y-1">
      <span>{label}</span>
      <span className="min-w-0">{children}</span>
    </div>
  );
}
