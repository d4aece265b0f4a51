import { clsx } from "clsx";
import { Ban, ChevronDown, ChevronUp, X } from "lucide-react";
import { useSessionPage } from "@/components/session/session-store";
import { Button, IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import type { ThreadUrl } from "@/lib/client/address/session-url";
import { useNow } from "@/lib/client/use-now";
import { formatCount, formatFailures, formatMoment } from "@/lib/format/format";
import { shortToolName } from "@/lib/tools/tools";
import type { ErrorPlace, ErrorsResponse } from "@/lib/wire/session";

/** How many errors the rows on screen have, the buttons that go to them, and the way to those that they don't show. */
export function ErrorKeys({ errors }: { errors: ErrorsResponse | null }) {
  if (!errors) return null;
  const shown = errors.rows.length;
  const beyond = errors.hidden + errors.elsewhere;
  if (shown + beyond === 0) return null;
  return (
    <span className="flex flex-none items-center @max-[616px]/tool:group-data-finding/tool:hidden">
      {shown > 0 && <ShownErrors failed={shown - errors.denied} denied={errors.denied} />}
      {beyond > 0 && <ErrorsBeyond errors={errors} count={beyond} isAlone={shown === 0} />}
    </span>
  );
}

/** The errors among the rows on screen. On a narrow page the bar at the foot has these buttons. */
function ShownErrors({ failed, denied }: { failed: number; denied: number }) {
  const { store } = useSessionPage();
  const step = (by: 1 | -1) => () => void store.thread.stepError(by);
  return (
    <span className="flex items-center @max-[616px]/tool:hidden">
      <Button kind="quiet" title="Next error ( ] )" onClick={step(1)}>
        {failed > 0 ? (
          <Icon of={X} small className="text-err" />
        ) : (
          <Icon of={Ban} small className="text-warn" />
        )}
        {formatFailures(failed, denied)}
      </Button>
      <IconButton icon={ChevronUp} small label="Previous error" keys="[" onClick={step(-1)} />
      <IconButton icon={ChevronDown} small label="Next error" keys="]" onClick={step(1)} />
    </span>
  );
}

/** The errors that the rows on screen don't show, and the way to each. `isAlone`: no others are counted before them. */
function ErrorsBeyond({
  errors: { hidden, elsewhere, places },
  count,
  isAlone,
}: {
  errors: ErrorsResponse;
  count: number;
  isAlone: boolean;
}) {
  const { setUrl, store } = useSessionPage();
  const nowMs = useNow();
  return (
    <Menu
      label="Errors not shown in this view"
      align="end"
      trigger={
        <Button kind="quiet" title="Errors not shown in this view" className="max-sm:px-1">
          {/* Behind the count of errors it is clear of what there are more; alone, where that has no room, it is not. */}
          <span className={clsx("flex", !isAlone && "@min-[616px]/tool:hidden")}>
            <Icon of={X} small className="text-err" />
          </span>
          {isAlone ? (
            <>
              {formatCount(count)}
              <span className="@max-[616px]/tool:sr-only"> {count === 1 ? "error" : "errors"}</span>
            </>
          ) : (
            `+${formatCount(count)}`
          )}
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
        <MenuItem key={place.recordId} onSelect={() => store.leaveFor(addressOf(place))}>
          {placeWords(place, nowMs)}
        </MenuItem>
      ))}
      {elsewhere > places.length && (
        <MenuItem disabled onSelect={() => undefined}>
          and {formatCount(elsewhere - places.length)} more
        </MenuItem>
      )}
    </Menu>
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

function placeWords({ tool, agentId, atMs }: ErrorPlace, nowMs: number): string {
  const where = agentId === null ? "on another branch" : "in an agent";
  return [
    tool === null ? "API" : shortToolName(tool),
    where,
    atMs === null ? null : formatMoment(atMs, nowMs),
  ]
    .filter(Boolean)
    .join(" · ");
}
