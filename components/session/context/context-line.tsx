import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Icon } from "@/components/ui/icon";
import { useTokenEstimate } from "./token-estimate";

const GRID = clsx(
  "grid min-h-6 w-full items-center gap-x-2 px-3 text-left text-12 whitespace-nowrap",
  "grid-cols-[12px_12px_26px_56px_minmax(0,1fr)_80px_calc(48px*var(--u))]",
  "max-sm:min-h-8 @max-[440px]/context:grid-cols-[12px_12px_26px_52px_minmax(0,1fr)_calc(48px*var(--u))]",
);

/** A line of the request: sign, number, author, start of the text, size. Opens to show its content. */
export function ContextLine({
  sign,
  number,
  name,
  nameWide = false,
  subject,
  chars,
  largest,
  fill,
  open,
  onToggle,
  children,
}: {
  /** `+` for a message that the previous request didn't have, `−` for one that was dropped since. */
  sign?: "+" | "−";
  number?: string;
  name: ReactNode;
  /** The name spans the number's column too. */
  nameWide?: boolean;
  subject: ReactNode;
  chars: number;
  /** The size of the longest line, which is the scale of the bars. */
  largest: number;
  fill: keyof typeof KIND_FILLS;
  /** `undefined` if there is nothing to open. */
  open?: boolean;
  onToggle?: () => void;
  children?: ReactNode;
}) {
  const panel = useId();
  const estimate = useTokenEstimate();
  const line = (
    <>
      <span className={clsx("text-center", sign === "−" ? "text-del-fg" : "text-add-fg")}>{sign}</span>
      <span className="flex text-fg-3">
        {open === undefined ? null : <Icon of={open ? ChevronDown : ChevronRight} small />}
      </span>
      {nameWide ? null : <span className="text-right text-11 text-fg-3 tabular-nums">{number}</span>}
      <span className={nameWide ? "col-span-2" : "text-fg-2"}>{name}</span>
      <span className={clsx("truncate", nameWide && "pl-4")}>{subject}</span>
      <span aria-hidden="true" className="@max-[440px]/context:hidden">
        {chars > 0 && (
          <span
            className={clsx("block h-1.5 min-w-0.5", KIND_FILLS[fill])}
            style={{ width: `${largest > 0 ? (100 * chars) / largest : 0}%` }}
          />
        )}
      </span>
      <span
        title={estimate.long(chars)}
        className={clsx("text-right tabular-nums", sign === "−" ? "text-del-fg" : "text-fg-2")}
      >
        {sign === "−" && "− "}
        {estimate.short(chars)}
      </span>
    </>
  );
  const tint = sign === "+" ? "bg-add-bg" : sign === "−" ? "bg-del-bg" : "hover:bg-raised";
  if (open === undefined) return <div className={clsx(GRID, tint)}>{line}</div>;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={onToggle}
        className={clsx(GRID, tint, "-outline-offset-2!")}
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

/**
 * The tones of the shares, for single messages: solid for you, medium for answers, outlined for results, striped for the client.
 */
const KIND_FILLS = {
  you: "bg-fg",
  answer: "bg-fg-3",
  result: "bg-line-2 shadow-[inset_0_0_0_1px_var(--line-3)]",
  client: "bg-[repeating-linear-gradient(0deg,var(--line-3)_0_1px,var(--bg)_1px_3px)]",
  system: "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_2px,var(--raised)_2px_4px)]",
} as const;
