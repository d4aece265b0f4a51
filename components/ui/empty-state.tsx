import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon";

/** Nothing to show, why, and what to do about it (`actions`: buttons or a command line). */
export function EmptyState({
  icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex h-full min-h-60 flex-col items-center justify-center gap-2.5 px-10 py-6 text-center max-sm:px-4">
      <Icon of={icon} className="text-fg-3" />
      <h2 className="font-semibold">{title}</h2>
      {children ? <div className="max-w-[420px] text-fg-2">{children}</div> : null}
      {actions ? <div className="flex max-w-full flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}
