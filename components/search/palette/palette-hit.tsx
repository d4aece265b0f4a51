import {
  Brain,
  CornerDownRight,
  FileText,
  type LucideIcon,
  MessageSquare,
  Terminal,
  TextAlignStart,
} from "lucide-react";
import { hitKey } from "@/components/search/search-groups";
import { Snippet } from "@/components/search/snippet";
import { Time } from "@/components/ui/time";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { PaletteEntry } from "./palette-group";

const ICONS: Record<SearchField, LucideIcon> = {
  title: TextAlignStart,
  prompt: MessageSquare,
  text: TextAlignStart,
  thinking: Brain,
  input: Terminal,
  output: CornerDownRight,
  attachment: FileText,
  meta: FileText,
  raw: FileText,
};

const CODE: ReadonlySet<SearchField> = new Set(["input", "output", "meta", "raw"]);

/** The value by which the palette knows a hit. */
export function hitValue(hit: SearchHit): string {
  return `hit ${hitKey(hit)}`;
}

/** A hit in the palette: the text around it, and whose it is. */
export function PaletteHit({
  hit,
  title,
  place,
  onSelect,
}: {
  hit: SearchHit;
  /** The session's, unless it is the one being read. */
  title: string | null;
  /** The project's name. */
  place: string | null;
  onSelect: () => void;
}) {
  return (
    <PaletteEntry
      value={hitValue(hit)}
      icon={ICONS[hit.field]}
      onSelect={onSelect}
      aside={
        <>
          {[hit.agentId !== null && "agent", place].filter(Boolean).join(" · ")}
          {hit.atMs === null ? null : <Time atMs={hit.atMs} className="ml-2" />}
        </>
      }
    >
      <span className={CODE.has(hit.field) ? "font-mono text-code" : ""}>
        <Snippet hit={hit} lead={16} />
      </span>
      {title && <span className="ml-2 text-fg-3">{title}</span>}
    </PaletteEntry>
  );
}
