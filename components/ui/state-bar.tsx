import { Check, Clock, Eye } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/lib/client/class-names";
import { Icon } from "./icon";

const TONES = {
  stale: { icon: Clock, bar: "border-warn text-warn" },
  done: { icon: Check, bar: "border-line text-fg" },
  notice: { icon: Eye, bar: "border-line text-fg-2" },
};

/** One line over content that stays: stale, live again, a notice. `action` stands at its right. */
export function StateBar({
  tone,
  action,
  children,
}: {
  tone: keyof typeof TONES;
  action?: ReactNode;
  children: ReactNode;
}) {
  const { icon, bar } = TONES[tone];
  return (
    <div
      role="status"
      className={cx("flex h-8 flex-none items-center gap-2 border-b bg-bg px-3 text-12", bar)}
    >
      <Icon of={icon} small className={tone === "done" ? "text-run" : ""} />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {action}
    </div>
  );
}
