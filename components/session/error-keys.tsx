import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import type { ThreadUrl } from "@/lib/client/thread-url";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { formatClock } from "@/lib/format/format-time";
import type { ErrorPlace, ErrorsResponse } from "@/lib/wire/session";

/** How many errors the rows on screen have, the buttons that go to them, and the way to those that they don't show. */
export function ErrorKeys({
  errors,
  jumps,
  setUrl,
  onGo,
}: {
  errors: ErrorsResponse | null;
  jumps: ThreadJumps;
  setUrl: (change: Partial<ThreadUrl>) => void;
  /** Opens another thread at a record, not where the reader is. */
  onGo: (place: Partial<ThreadUrl>) => void;
}) {
  if (!errors) return null;
  const { rows, hidden, elsewhere, places } = errors;
  const beyond = hidden + elsewhere;
  if (rows.length + beyond === 0) return null;
  return (
    <span className="flex flex-none items-center @max-[616px]/tool:hidden">
      {rows.length > 0 && (
        <>
          <Button kind="quiet" title="Next error ( ] )" onClick={() => void jumps.toError(1)}>
            <Icon of={X} small className="text-err" />
            {formatPlural(rows.length, "error")}
          </Button>
          <IconButton
            icon={ChevronUp}
            small
            label="Previous error"
            keys="["
            onClick={() => void jumps.toError(-1)}
          />
          <IconButton
            icon={ChevronDown}
            small
            label="Next error"
            keys="]"
            onClick={() => void jumps.toError(1)}
          />
        </>
      )}
      {beyond > 0 && (
        <Menu
          label="Errors that this view does not show"
          align="end"
          trigger={
            <Button kind="quiet" title="Errors that this view does not show">
              {rows.length === 0 && <Icon of={X} small className="text-err" />}
              {rows.length > 0 ? `+${formatCount(beyond)}` : formatPlural(beyond, "error")}
              <span className="@max-[960px]/tool:sr-only @max-[1130px]/tool:group-data-finding/tool:sr-only">
                {" elsewhere"}
              </span>
            </Button>
          }
        >
          {hidden > 0 && (
            <MenuItem onSelect={() => setUrl({ detail: "tools", fold: null })}>
              Show {formatCount(hidden)} hidden by this view
            </MenuItem>
          )}
          {hidden > 0 && elsewhere > 0 && <MenuLine />}
          {places.map((place) => (
            <MenuItem key={place.recordId} onSelect={() => onGo(addressOf(place))}>
              {placeWords(place)}
            </MenuItem>
          ))}
          {elsewhere > places.length && (
            <MenuItem disabled onSelect={() => undefined}>
              and {formatCount(elsewhere - places.length)} more
            </MenuItem>
          )}
        </Menu>
      )}
    </span>
  );
}

function addressOf({ recordId, agentId, branch }: ErrorPlace): Partial<ThreadUrl> {
  return {
    agent: agentId,
    branch: agentId === null ? branch : null,
    at: recordId,
    detail: "tools",
    fold: null,
  };
}

function placeWords({ tool, agentId, atMs }: ErrorPlace): string {
  const where = agentId === null ? "on another branch" : "in an agent";
  return [tool ?? "API", where, atMs === null ? null : formatClock(atMs)].filter(Boolean).join(" · ");
}
