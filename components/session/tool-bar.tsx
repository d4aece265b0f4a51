import { clsx } from "clsx";
import {
  Ban,
  ChevronDown,
  ChevronUp,
  FileDiff,
  List,
  PanelLeft,
  PanelRight,
  Workflow,
  X,
} from "lucide-react";
import { parseFold, threadTurns } from "@/components/thread/thread-position";
import { useSlowPosition } from "@/components/thread/use-thread";
import { Button, IconButton } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { TabBar } from "@/components/ui/frame/frame";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { paneOf, type ThreadUrl, viewOf } from "@/lib/client/address/session-url";
import { useNow } from "@/lib/client/use-now";
import { formatCount, formatFailures, formatMoment } from "@/lib/format/format";
import { shortToolName } from "@/lib/tools/tools";
import type { Detail } from "@/lib/wire/rows";
import type { ErrorPlace, ErrorsResponse } from "@/lib/wire/session";
import { CommentsButton } from "./comments/comments-button";
import { FindField } from "./find/find-field";
import type { Find } from "./find/use-find";
import { SessionMenu } from "./session-menu";
import { useSessionPage } from "./session-store";

const DETAIL_CHOICES: { value: Detail; label: string }[] = [
  { value: "prompts", label: "Prompts" },
  { value: "conversation", label: "Conversation" },
  { value: "tools", label: "Tools" },
  { value: "everything", label: "Everything" },
];

/**
 * Over the thread: how much of it is shown, where the reader is, errors, folding, the inspector. Beside panes it is
 * narrow on any screen: what has a key, or is said elsewhere, then gives way.
 */
export function ToolBar({
  find,
  problemId,
  errors,
  outlineDocked,
  outlineOpen,
  onOutline,
  onPrint,
}: {
  find: Find;
  /** The element that says what is wrong with what is looked for. */
  problemId: string;
  errors: ErrorsResponse | null;
  /** The outline stands beside the thread; else a button opens it. */
  outlineDocked: boolean;
  outlineOpen: boolean;
  onOutline: () => void;
  onPrint: () => void;
}) {
  const { session, choice, url, setUrl, store } = useSessionPage();
  const turnsOfAll = session?.counts.turns ?? 0;
  const folded = parseFold(choice.fold ?? "").size > 0;
  const canFold = folded || turnsOfAll > 0;
  const fold = () => setUrl({ fold: folded ? null : `1-${turnsOfAll}` });
  return (
    <section
      aria-label="View"
      data-screen-only
      data-finding={find.shown || undefined}
      className="group/tool @container/tool flex h-tool items-center gap-2 overflow-hidden border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap max-sm:h-10 max-sm:gap-1 max-sm:px-2"
    >
      <IconButton
        icon={PanelLeft}
        label="Outline"
        pressed={outlineOpen}
        className={clsx("max-sm:hidden", outlineDocked && "md:hidden")}
        onClick={onOutline}
      />
      <Segmented
        label="Detail"
        choices={DETAIL_CHOICES}
        value={choice.detail}
        onChange={(detail) => setUrl({ detail })}
        // After the field of find has given way it scrolls, so that the last buttons are never cut off.
        className={clsx(
          "min-w-0 shrink overflow-x-auto [scrollbar-width:none] max-sm:[&>button]:px-1 max-sm:[&>button]:text-11",
          find.shown && "@max-[980px]/tool:hidden",
        )}
      />
      <TurnOf turns={threadTurns(session, choice)} />
      <span className={clsx("flex-1", find.shown && "max-sm:hidden")} />
      <FindField find={find} problemId={problemId} />
      <ErrorKeys errors={errors} />
      <IconButton
        icon={List}
        label={folded ? "Unfold all turns" : "Fold all turns"}
        pressed={folded}
        // How many turns there are is known a moment later than the first of them is shown.
        disabled={!canFold}
        className="@max-[660px]/tool:hidden"
        onClick={fold}
      />
      <IconButton
        icon={PanelRight}
        label="Inspector"
        keys="i"
        pressed={paneOf(url.panes, "record") !== null}
        className="@max-[660px]/tool:hidden"
        onClick={store.panes.toggleInspector}
      />
      <CommentsButton className="@max-[660px]/tool:hidden" />
      {session ? (
        <SessionMenu session={session} folded={folded} onFold={canFold ? fold : null} onPrint={onPrint} />
      ) : (
        // The room of its two buttons: the others don't move when the facts arrive.
        <span aria-hidden="true" className="w-14 flex-none max-sm:hidden @max-[780px]/tool:w-6" />
      )}
    </section>
  );
}

/** The turn that the reader is in, of so many; nothing while no rows are there. */
export function TurnOf({ turns }: { turns: number | null }) {
  // Without rows nobody is anywhere yet, as while they load, or where they cannot be loaded.
  const turn = useSlowPosition((at) => (at.total > 0 ? at.turn : null), 300);
  if (!turns || turn === null) return null;
  return (
    <span className="text-fg-3 tabular-nums @max-[960px]/tool:hidden @max-[1130px]/tool:group-data-finding/tool:hidden in-data-[text=16]:@max-[1130px]/tool:hidden">
      {turn > 0 ? `turn ${formatCount(turn)} of ${formatCount(turns)}` : "before the first prompt"}
    </span>
  );
}

const OFF = "disabled:opacity-50";

/** The bar at the foot of a narrow page. */
export function SessionTabBar({
  errors,
  onOutline,
  onGraph,
}: {
  errors: ErrorsResponse | null;
  onOutline: () => void;
  onGraph: () => void;
}) {
  const { url, store } = useSessionPage();
  // As with the keys: nobody would see how the thread moves below.
  const isCovered = viewOf(url) !== "thread";
  return (
    <TabBar label="Session">
      <button type="button" onClick={onOutline}>
        <Icon of={List} />
        Turns
      </button>
      <button
        type="button"
        disabled={isCovered}
        className={OFF}
        onClick={() => void store.thread.stepTurn(-1)}
      >
        <Icon of={ChevronUp} />
        Previous
      </button>
      <button
        type="button"
        disabled={isCovered}
        className={OFF}
        onClick={() => void store.thread.stepTurn(1)}
      >
        <Icon of={ChevronDown} />
        Next
      </button>
      <button
        type="button"
        disabled={isCovered || !hasErrors(errors)}
        className={OFF}
        onClick={() => void store.thread.stepError(1)}
      >
        <Icon of={X} />
        Errors
      </button>
      <button type="button" aria-current={url.view === "graph" ? "page" : undefined} onClick={onGraph}>
        <Icon of={Workflow} />
        Graph
      </button>
      <button
        type="button"
        aria-current={url.view === "changes" ? "page" : undefined}
        onClick={() => (store.views.showsChanges() ? store.views.close() : store.views.openChanges(null))}
      >
        <Icon of={FileDiff} />
        Changes
      </button>
    </TabBar>
  );
}

/** Whether this view shows one, or the session has one that it does not. */
function hasErrors(errors: ErrorsResponse | null): boolean {
  return errors !== null && errors.rows.length + errors.hidden + errors.elsewhere > 0;
}

/** How many errors the rows on screen have, the buttons that go to them, and the way to those that they don't show. */
function ErrorKeys({ errors }: { errors: ErrorsResponse | null }) {
  const { setUrl, store } = useSessionPage();
  const nowMs = useNow();
  if (!errors) return null;
  const { rows, denied, hidden, elsewhere, places } = errors;
  const beyond = hidden + elsewhere;
  if (rows.length + beyond === 0) return null;
  return (
    <span className="flex flex-none items-center @max-[616px]/tool:group-data-finding/tool:hidden">
      {rows.length > 0 && (
        // On a narrow page the bar at the foot has these.
        <span className="flex items-center @max-[616px]/tool:hidden">
          <Button kind="quiet" title="Next error ( ] )" onClick={() => void store.thread.stepError(1)}>
            {rows.length > denied ? (
              <Icon of={X} small className="text-err" />
            ) : (
              <Icon of={Ban} small className="text-warn" />
            )}
            {formatFailures(rows.length - denied, denied)}
          </Button>
          <IconButton
            icon={ChevronUp}
            small
            label="Previous error"
            keys="["
            onClick={() => void store.thread.stepError(-1)}
          />
          <IconButton
            icon={ChevronDown}
            small
            label="Next error"
            keys="]"
            onClick={() => void store.thread.stepError(1)}
          />
        </span>
      )}
      {beyond > 0 && (
        <Menu
          label="Errors not shown in this view"
          align="end"
          trigger={
            <Button kind="quiet" title="Errors not shown in this view" className="max-sm:px-1">
              {/* Behind the count of errors it is clear of what there are more; alone, where that has no room, it is not. */}
              <span className={clsx("flex", rows.length > 0 && "@min-[616px]/tool:hidden")}>
                <Icon of={X} small className="text-err" />
              </span>
              {rows.length > 0 ? (
                `+${formatCount(beyond)}`
              ) : (
                <>
                  {formatCount(beyond)}
                  <span className="@max-[616px]/tool:sr-only"> {beyond === 1 ? "error" : "errors"}</span>
                </>
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
