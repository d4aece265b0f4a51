import { clsx } from "clsx";
import { List, PanelLeft, PanelRight } from "lucide-react";
import { CommentsButton } from "@/components/session/comments/comments-button";
import { FindField } from "@/components/session/find/find-field";
import type { Find } from "@/components/session/find/use-find";
import { useSessionPage } from "@/components/session/session-store";
import { parseFold, threadTurns } from "@/components/thread/thread-position";
import { useSlowPosition } from "@/components/thread/use-thread";
import { IconButton } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { paneOf } from "@/lib/client/address/session-url";
import { formatCount } from "@/lib/format/format";
import type { Detail } from "@/lib/wire/rows";
import type { ErrorsResponse } from "@/lib/wire/session";
import { ErrorKeys } from "./error-keys";
import { SessionMenu } from "./session-menu";

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
