import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";

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
      className={clsx("flex-none", className)}
    />
  );
}

/** The disclosure chevron. Drawn by hand: every row has one, and a library icon mounts three components. */
export function Chevron({ open }: { open: boolean }) {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 24 24"
      aria-hidden="true"
      className="flex-none fill-none stroke-current stroke-[2.4] [stroke-linecap:round] [stroke-linejoin:round]"
    >
      <path d={open ? "m6 9 6 6 6-6" : "m9 18 6-6-6-6"} />
    </svg>
  );
}
