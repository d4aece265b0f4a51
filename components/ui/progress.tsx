import { cx } from "@/lib/client/class-names";

/** How far something is, 0 to 1. Its words stand beside it: progress always has counts. Client-rendered only. */
export function Progress({ share, label, thick }: { share: number; label: string; thick?: boolean }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={cx("relative w-full bg-line", thick ? "h-1" : "h-0.5")}
    >
      <div className="absolute inset-y-0 left-0 bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}
