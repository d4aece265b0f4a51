import { Command } from "cmdk";
import {
  Brain,
  CornerDownRight,
  FileText,
  type LucideIcon,
  MessageSquare,
  Terminal,
  TextAlignStart,
} from "lucide-react";
import type { ReactNode } from "react";
import { formatHitSource, hitState, Snippet } from "@/components/search/hit-row";
import { hitKey } from "@/components/search/search-groups";
import { Icon } from "@/components/ui/icon";
import { Time } from "@/components/ui/time";
import type { HitPlace, SearchField, SearchHit } from "@/lib/wire/search";

/** A newer server than this page may have other fields. */
const ICONS: Record<SearchField, LucideIcon> = {
  title: TextAlignStart,
  prompt: MessageSquare,
  command: MessageSquare,
  text: TextAlignStart,
  thinking: Brain,
  input: Terminal,
  output: CornerDownRight,
  returned: CornerDownRight,
  attachment: FileText,
  meta: FileText,
  raw: FileText,
};

/** Texts of calls, which are identified by their tool. */
const CALL: ReadonlySet<SearchField> = new Set(["input", "output"]);

const CODE: ReadonlySet<SearchField> = new Set(["input", "output", "meta", "raw"]);

/** The value that identifies a hit in the palette. */
export function hitValue(hit: SearchHit): string {
  return `hit ${hitKey(hit)}`;
}

/** A hit in the palette: the text around it, and its source. */
export function PaletteHit({
  hit,
  stands,
  title,
  place,
  onSelect,
}: {
  hit: SearchHit;
  /** Its position in its session, once that is known. */
  stands: HitPlace | undefined;
  /** The session's, unless it is the one being read. */
  title: string | null;
  /** The project's name. */
  place: string | null;
  onSelect: () => void;
}) {
  const state = hitState(stands);
  const source = CALL.has(hit.field) ? formatHitSource(hit, stands) : null;
  const turn = stands?.turn ? `turn ${stands.turn}` : null;
  const branch = stands?.branch == null ? null : `branch ${stands.branch}`;
  return (
    <PaletteEntry
      value={hitValue(hit)}
      icon={state?.icon ?? ICONS[hit.field] ?? FileText}
      iconClass={state?.className}
      onSelect={onSelect}
      aside={
        <>
          <span className="max-sm:hidden">
            {[state?.word, hit.agentId !== null && "agent", branch, turn, place].filter(Boolean).join(" · ")}
          </span>
          <span className="sm:hidden">{turn}</span>
          {hit.atMs === null ? null : <Time atMs={hit.atMs} className="ml-2" />}
        </>
      }
    >
      {source && <span className="mr-2 font-semibold">{source}</span>}
      <span className={CODE.has(hit.field) ? "font-mono text-code" : ""}>
        <Snippet hit={hit} lead={16} />
      </span>
      {title && <span className="ml-2 text-fg-3">{title}</span>}
    </PaletteEntry>
  );
}

/** Entries of one kind; nothing while there are none. */
export function PaletteGroup({ heading, children }: { heading: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-0.5 [&_[cmdk-group-heading]]:text-11 [&_[cmdk-group-heading]]:text-fg-3"
    >
      {children}
    </Command.Group>
  );
}

/** One entry of 30 px: an icon, its name, and at the right what distinguishes it. */
export function PaletteEntry({
  value,
  icon,
  iconClass = "text-fg-3",
  aside,
  onSelect,
  children,
}: {
  /** Unique in the palette. */
  value: string;
  icon: LucideIcon;
  iconClass?: string | undefined;
  aside: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="grid h-[30px] cursor-default grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 px-3 whitespace-nowrap max-sm:h-10 data-[selected=true]:sel-bar data-[selected=true]:bg-sel"
    >
      <Icon of={icon} small className={iconClass} />
      <span className="truncate">{children}</span>
      <span className="max-w-80 truncate text-12 text-fg-3 tabular-nums max-sm:max-w-28 max-sm:[&_time]:hidden">
        {aside}
      </span>
    </Command.Item>
  );
}
