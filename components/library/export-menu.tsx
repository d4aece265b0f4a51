import { type ReactElement, useState } from "react";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/menu";
import { toastFailure } from "@/components/ui/toast";
import {
  downloadExport,
  exportQuery,
  formatCommented,
  formatLoggedPaths,
} from "@/lib/client/download-export";
import { formatCount, formatPlural } from "@/lib/format/format";
import {
  EXPORT_FORMAT_IDS,
  EXPORT_FORMATS,
  type ExportFormat,
  MAX_EXPORTED_SESSIONS,
  WHOLE_ONLY,
  WITH_COMMENTS,
  WITH_LOGGED_PATHS,
} from "@/lib/wire/export-formats.mjs";
import type { SessionSummary } from "@/lib/wire/library";

/** What of its sessions a zip may leave out, as the export of one session may. */
const CONTENTS = { thinking: "Thinking", tools: "Tool calls", agents: "Agents", images: "Images" };

type Content = keyof typeof CONTENTS;

const CONTENT_NAMES = Object.keys(CONTENTS) as Content[];

/**
 * The address of the zip of some sessions. Their ids are complete: one may be the beginning of another, as for a log
 * that is also in a second folder. `hasTilde`: with the home folder as `~`, `isRelative`: with paths in a session's project
 * from its folder, both except in the formats that Claude Code reads. `hasComments`: with the comments on them, in the formats
 * that have a place for those. `without`: what is left out.
 */
export function zipPath(
  sessions: readonly { id: string }[],
  format: ExportFormat,
  {
    isRedacted,
    hasTilde,
    isRelative,
    hasComments = false,
    without = [],
  }: {
    isRedacted: boolean;
    hasTilde: boolean;
    isRelative: boolean;
    hasComments?: boolean;
    without?: readonly Content[];
  },
): string {
  const ids = sessions.map(({ id }) => id).join(",");
  const redact = isRedacted ? 1 : null;
  const mayShorten = !WITH_LOGGED_PATHS.includes(format);
  const tilde = hasTilde && mayShorten ? 1 : null;
  const relative = isRelative && mayShorten ? 1 : null;
  const comments = hasComments && WITH_COMMENTS.includes(format) ? 1 : null;
  const contents = Object.fromEntries(without.map((one) => [one, "0"]));
  return `/api/export?${exportQuery({ sessions: ids, format, redact, tilde, relative, comments, ...contents })}`;
}

/** What a zip of these sessions is called: a zip may contain so many. */
export function exportName({ length }: readonly SessionSummary[]): string {
  return length > MAX_EXPORTED_SESSIONS
    ? `Export the first ${formatCount(MAX_EXPORTED_SESSIONS)} of ${formatCount(length)} sessions`
    : `Export ${formatPlural(length, "session")}`;
}

/**
 * Exports sessions as a zip, in the order of the list, up to the number that a zip may contain.
 * @param trigger the button that opens it, with `exportName` as its name
 */
export function ExportMenu({
  sessions,
  trigger,
}: {
  sessions: readonly SessionSummary[];
  trigger: ReactElement;
}) {
  const [isRedacted, setRedacted] = useState(false);
  const [hasTilde, setTilde] = useState(true);
  const [isRelative, setRelative] = useState(false);
  const [hasComments, setComments] = useState(false);
  const [without, setWithout] = useState<readonly Content[]>([]);
  // Agents go with the calls that start them.
  const isWithout = (one: Content) =>
    without.includes(one) || (one === "agents" && without.includes("tools"));
  const exported = sessions.slice(0, MAX_EXPORTED_SESSIONS);
  const download = (format: ExportFormat) => {
    downloadExport(
      zipPath(exported, format, { isRedacted, hasTilde, isRelative, hasComments, without }),
    ).catch((error: unknown) => toastFailure(error, "The download failed"));
  };
  const hasWritten = exported.some(({ marks }) => (marks?.comments ?? 0) > 0);
  if (exported.length === 0) return null;
  return (
    <Menu trigger={trigger} label={`${exportName(sessions)} as a zip`} align="end">
      {EXPORT_FORMAT_IDS.map((format) => (
        <MenuItem key={format} disabled={!mayLack(format, without)} onSelect={() => download(format)}>
          {EXPORT_FORMATS[format].name}
          {mayLack(format, without) ? null : ": only with all of it"}
        </MenuItem>
      ))}
      <MenuLine />
      {CONTENT_NAMES.map((one) => (
        <MenuChoice
          key={one}
          chosen={!isWithout(one)}
          disabled={one === "agents" && without.includes("tools")}
          onSelect={staysOpen(() =>
            setWithout(without.includes(one) ? without.filter((kept) => kept !== one) : [...without, one]),
          )}
        >
          {CONTENTS[one]}
        </MenuChoice>
      ))}
      {hasWritten && (
        <MenuChoice
          chosen={hasComments}
          aside={`in ${formatCommented()}`}
          onSelect={staysOpen(() => setComments(!hasComments))}
        >
          Comments
        </MenuChoice>
      )}
      <MenuLine />
      <MenuChoice
        chosen={hasTilde}
        aside={`except in ${formatLoggedPaths()}`}
        onSelect={staysOpen(() => setTilde(!hasTilde))}
      >
        Home folder as ~
      </MenuChoice>
      <MenuChoice
        chosen={isRelative}
        aside={`except in ${formatLoggedPaths()}`}
        onSelect={staysOpen(() => setRelative(!isRelative))}
      >
        Relative paths
      </MenuChoice>
      <MenuChoice chosen={isRedacted} onSelect={staysOpen(() => setRedacted(!isRedacted))}>
        Redact secrets
      </MenuChoice>
    </Menu>
  );
}

/** Whether a format can be made where these are left out. */
export function mayLack(format: ExportFormat, without: readonly Content[]): boolean {
  return without.length === 0 || !WHOLE_ONLY.includes(format);
}

/** A choice behind which the menu stays open: its formats come when all is chosen. */
function staysOpen(choose: () => void): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    choose();
  };
}
