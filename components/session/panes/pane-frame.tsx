import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { IconButton } from "@/components/ui/button";
import { useFocusOver } from "@/components/ui/main-focus";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { OVER_PAGE } from "./pane-sizes";

/** A pane's head and body: a part of a column, or the whole screen where that is narrow. */
export function PaneFrame({
  label,
  head,
  actions,
  isOwn,
  onClose,
  onFocus,
  children,
}: {
  label: string;
  head: ReactNode;
  actions?: ReactNode;
  /** Its reader has it for himself: using it is not going his own way in what is presented. */
  isOwn?: boolean;
  onClose: () => void;
  /** The focus has come to it, or to something in it. */
  onFocus?: () => void;
  children: ReactNode;
}) {
  const pane = useRef<HTMLElement>(null);
  useFocusOver(pane);
  return (
    <section
      ref={pane}
      tabIndex={-1}
      onFocus={onFocus}
      aria-label={labelHidden(label)}
      data-keeps-following={isOwn ? "" : undefined}
      className={clsx(
        "relative grid min-h-0 min-w-0 flex-1 grid-rows-[32px_minmax(0,1fr)] bg-panel outline-none",
        OVER_PAGE,
      )}
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
