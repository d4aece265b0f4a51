import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { formatCount } from "@/lib/format/format-count";

/** A folder or file of a list with its count, which hides or shows what lies under it. */
export function TreeGroup({
  label,
  count,
  children,
}: {
  label: ReactNode;
  count: number;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(true);
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-[22px] w-full min-w-0 items-center gap-1.5 px-3 text-left font-mono text-code hover:bg-raised"
      >
        <span className="flex text-fg-3">
          <Icon of={open ? ChevronDown : ChevronRight} small />
        </span>
        <span className="truncate">{label}</span>
        <span className="font-sans text-11 text-fg-3 tabular-nums">{formatCount(count)}</span>
      </button>
      {open && children}
    </div>
  );
}
