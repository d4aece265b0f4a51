import { ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";

/** An item of a list that opens below its line. `line` is what stands in the line, in order. */
export function FoldItem({
  line,
  open,
  onToggle,
  children,
}: {
  line: ReactNode;
  open: boolean;
  onToggle: () => void;
  /** Drawn only while it is open. */
  children: ReactNode;
}) {
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex h-row w-full min-w-0 items-center gap-2 px-3 text-left text-12 hover:bg-raised"
      >
        <Icon of={open ? ChevronDown : ChevronRight} small className="flex-none text-fg-3" />
        {line}
      </button>
      {open ? children : null}
    </li>
  );
}
