import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Icon } from "@/components/ui/icon";
import { cx } from "@/lib/client/class-names";
import { estimateTokens, estimateWords } from "./estimate-tokens";
import { KIND_FILLS } from "./share-fills";

const GRID = cx(
  "grid min-h-6 w-full items-center gap-x-2 px-3 text-left text-12 whitespace-nowrap",
  "grid-cols-[12px_12px_26px_56px_minmax(0,1fr)_80px_calc(48px*var(--u))]",
  "max-sm:min-h-8 @max-[440px]/context:grid-cols-[12px_12px_26px_52px_minmax(0,1fr)_calc(48px*var(--u))]",
);

/** A line of the request: sign, number, who, first words, size. Opens to what it holds. */
export function ContextLine({
  sign,
  number,
  name,
  nameWide = false,
  subject,
  chars,
  most,
  fill,
  open,
  onToggle,
  children,
}: {
  /** `+` for what the request before did not have, `−` for what this one lost. */
  sign?: "+" | "−";
  number?: string;
  name: ReactNode;
  /** The name takes the number's place too. */
  nameWide?: boolean;
  subject: ReactNode;
  chars: number;
  /** The longest line's size, which the bar is drawn against. */
  most: number;
  fill: keyof typeof KIND_FILLS;
  /** `undefined` where there is nothing to open. */
  open?: boolean;
  onToggle?: () => void;
  children?: ReactNode;
}) {
  const panel = useId();
  const line = (
    <>
      <span className={cx("text-center", sign === "−" ? "text-del-fg" : "text-add-fg")}>{sign}</span>
      <span className="flex text-fg-3">
        {open === undefined ? null : <Icon of={open ? ChevronDown : ChevronRight} small />}
      </span>
      {nameWide ? null : <span className="text-right text-11 text-fg-3 tabular-nums">{number}</span>}
      <span className={nameWide ? "col-span-2" : "text-fg-2"}>{name}</span>
      <span className={cx("truncate", nameWide && "pl-4")}>{subject}</span>
      <span aria-hidden="true" className="@max-[440px]/context:hidden">
        {chars > 0 && (
          <span
            className={cx("block h-1.5 min-w-0.5", KIND_FILLS[fill])}
            style={{ width: `${most > 0 ? (100 * chars) / most : 0}%` }}
          />
        )}
      </span>
      <span
        title={estimateWords(chars)}
        className={cx("text-right tabular-nums", sign === "−" ? "text-del-fg" : "text-fg-2")}
      >
        {sign === "−" && "− "}
        {estimateTokens(chars)}
      </span>
    </>
  );
  const tint = sign === "+" ? "bg-add-bg" : sign === "−" ? "bg-del-bg" : "hover:bg-raised";
  if (open === undefined) return <div className={cx(GRID, tint)}>{line}</div>;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={onToggle}
        className={cx(GRID, tint, "-outline-offset-2!")}
      >
        {line}
      </button>
      {open && (
        <div id={panel} className="border-y border-line bg-bg">
          {children}
        </div>
      )}
    </div>
  );
}
