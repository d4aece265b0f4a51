import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/icon-button";

/** A pane's head and body: a part of a column, or the whole screen where that is narrow. */
export function PaneFrame({
  label,
  head,
  actions,
  onClose,
  children,
}: {
  label: string;
  head: ReactNode;
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className="relative grid min-h-0 min-w-0 flex-1 grid-rows-[32px_minmax(0,1fr)] bg-panel max-md:fixed max-md:inset-x-0 max-md:top-(--bar) max-md:bottom-0 max-md:z-20"
    >
      <header className="flex min-w-0 items-center gap-2 border-b border-line px-3 text-12 whitespace-nowrap">
        {head}
        <span className="ml-auto flex flex-none items-center">
          {actions}
          <IconButton icon={X} small label={`Close ${label}`} onClick={onClose} />
        </span>
      </header>
      {children}
    </section>
  );
}
