import { List, PanelRight, Search } from "lucide-react";
import { parseFold } from "@/components/thread/thread-fold";
import { type PositionStore, useSlowPosition } from "@/components/thread/thread-position";
import { threadTurns } from "@/components/thread/thread-turns";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { IconButton } from "@/components/ui/icon-button";
import { Segmented } from "@/components/ui/segmented";
import { cx } from "@/lib/client/class-names";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/thread-url";
import { formatCount } from "@/lib/format/format-count";
import type { Detail } from "@/lib/wire/rows";
import type { ErrorsResponse, SessionDetail } from "@/lib/wire/session";
import { ErrorKeys } from "./error-keys";
import { FindField } from "./find/find-field";
import type { Find } from "./find/use-find";
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
  session,
  choice,
  position,
  setUrl,
  onGo,
  jumps,
  errors,
  find,
  inspecting,
  onInspect,
  onPrint,
}: {
  session: SessionDetail | null;
  choice: ThreadChoice;
  position: PositionStore;
  setUrl: (change: Partial<ThreadUrl>) => void;
  /** The same, and away from where the reader is. */
  onGo: (place: Partial<ThreadUrl>) => void;
  jumps: ThreadJumps;
  errors: ErrorsResponse | null;
  find: Find;
  inspecting: boolean;
  onInspect: () => void;
  onPrint: () => void;
}) {
  const turnsOfAll = session?.counts.turns ?? 0;
  const folded = parseFold(choice.fold ?? "").size > 0;
  return (
    <section
      aria-label="View"
      data-screen-only
      data-finding={find.shown || undefined}
      className="group/tool @container/tool flex h-tool items-center gap-2 overflow-hidden border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap max-sm:h-10"
    >
      <Segmented
        label="Detail"
        choices={DETAIL_CHOICES}
        value={choice.detail}
        onChange={(detail) => setUrl({ detail })}
        className={cx("max-sm:[&>button]:px-1.5", find.shown && "@max-[980px]/tool:hidden")}
      />
      <TurnOf position={position} turns={threadTurns(session, choice)} />
      <span className={cx("flex-1", find.shown && "max-sm:hidden")} />
      <FindField find={find} />
      {!find.shown && (
        <IconButton
          icon={Search}
          label="Find in this session"
          className="max-sm:size-8! @min-[960px]/tool:hidden"
          onClick={find.show}
        />
      )}
      <ErrorKeys errors={errors} jumps={jumps} setUrl={setUrl} onGo={onGo} />
      <IconButton
        icon={List}
        label={folded ? "Unfold all turns" : "Fold all turns"}
        pressed={folded}
        className="@max-[616px]/tool:hidden"
        onClick={() => setUrl({ fold: folded || turnsOfAll === 0 ? null : `1-${turnsOfAll}` })}
      />
      <IconButton
        icon={PanelRight}
        label="Inspector"
        keys="i"
        pressed={inspecting}
        className="@max-[616px]/tool:hidden"
        onClick={onInspect}
      />
      {session && <SessionMenu session={session} onPrint={onPrint} />}
    </section>
  );
}

function TurnOf({ position, turns }: { position: PositionStore; turns: number | null }) {
  const turn = useSlowPosition(position, (at) => at.turn, 300);
  if (!turns) return null;
  return (
    <span className="text-fg-3 tabular-nums @max-[960px]/tool:hidden @max-[1130px]/tool:group-data-finding/tool:hidden">
      {turn > 0 ? `turn ${formatCount(turn)} of ${formatCount(turns)}` : "before the first prompt"}
    </span>
  );
}
