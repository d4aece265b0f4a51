import { useState } from "react";
import { stripAnsi } from "@/components/content/ansi/ansi-tokens";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatCount } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import type { CommandClass, TurnBrief } from "@/lib/wire/brief";
import type { RecordId } from "@/lib/wire/ids";
import { FailedMark } from "./failed-mark";

const CLASSES: readonly CommandClass[] = ["test", "build", "git", "other"];
const SHOWN = 8;

/** The commands that a turn ran: how many of each class, then the commands, each leading to its row. */
export function BriefCommands({
  commands,
  more,
  onGo,
}: {
  commands: TurnBrief["commands"];
  more: number;
  onGo: (recordId: RecordId) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? commands : commands.slice(0, SHOWN);
  return (
    <>
      <p className="flex flex-wrap gap-x-3 text-fg-2">
        {CLASSES.map((name) => {
          const found = commands.filter((command) => command.class === name);
          const failed = found.filter((command) => command.failed).length;
          if (found.length === 0) return null;
          return (
            <span key={name}>
              {name} {formatCount(found.length)}
              {failed > 0 && <span className="text-err"> {formatCount(failed)} failed</span>}
            </span>
          );
        })}
      </p>
      <ul>
        {shown.map((command) => (
          <li key={command.recordId + command.command}>
            <button
              type="button"
              title={command.command}
              className="grid w-full grid-cols-[12px_36px_minmax(0,1fr)_auto] items-center gap-x-2 rounded-1 text-left hover:bg-raised"
              onClick={() => onGo(command.recordId)}
            >
              <span className="flex">{command.failed && <FailedMark />}</span>
              <span className="text-fg-3">{command.class}</span>
              <span className="truncate font-mono">
                <VisibleText text={stripAnsi(command.command.replaceAll("\n", " ⏎ "))} />
              </span>
              <span className="text-fg-2">
                {command.durationMs === null ? null : formatDuration(command.durationMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {commands.length > shown.length && (
        <button type="button" className="text-accent hover:underline" onClick={() => setAll(true)}>
          {formatCount(commands.length - shown.length)} more
        </button>
      )}
      {more > 0 && (all || commands.length <= SHOWN) && (
        <p className="text-fg-3">and {formatCount(more)} that are only in the thread</p>
      )}
    </>
  );
}
