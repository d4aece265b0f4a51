import type { LucideIcon } from "lucide-react";
import { cx } from "@/lib/client/class-names";

/** A line icon in the text's colour, 16 px or (small) 12 px, hidden from assistive technology. */
export function Icon({
  of: Drawing,
  small,
  className,
}: {
  of: LucideIcon;
  small?: boolean;
  className?: string;
}) {
  const size = small ? 12 : 16;
  const stroke = small ? 1.2 : 1.4;
  return (
    <Drawing
      size={size}
      strokeWidth={stroke}
      absoluteStrokeWidth
      aria-hidden="true"
      className={cx("flex-none", className)}
    />
  );
}
