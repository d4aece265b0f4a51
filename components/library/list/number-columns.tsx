import { clsx } from "clsx";
import {
  formatBytes,
  formatCompact,
  formatCost,
  formatCount,
  formatDollars,
  formatFailures,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import type { SessionSummary } from "@/lib/wire/library";
import { failedCalls, type NumberColumn, numberColumns, type SessionSort } from "@/lib/wire/library-columns";

const FORMATS: Record<NumberColumn["format"], (value: number) => string> = {
  count: formatCount,
  compact: formatCompact,
  bytes: formatBytes,
  dollars: formatDollars,
};

/**
 * Of the column of activity, in pages that have room for it beside the titles: with large text wider ones. All of these
 * are in step with `library-columns` in globals.css, which has the tracks.
 */
export const ACTIVITY_SHOWN = "max-lg:hidden in-data-[text=16]:max-xl:hidden";
/** Of the column of branches. */
export const BRANCH_SHOWN = "max-xl:hidden in-data-[text=16]:max-[1600px]:hidden";

/** Hides a column on pages that are too narrow for it. */
const HIDDEN: Record<NonNullable<NumberColumn["from"]>, string> = {
  md: "max-md:hidden in-data-[text=16]:max-lg:hidden",
  xl: BRANCH_SHOWN,
};

/** The class of a column that is shown from this width of the page on; none for one that always is. */
export function shownClass(from: NumberColumn["from"]): string | undefined {
  return from && HIDDEN[from];
}

/** The numbers of a session's row, as the catalogue of columns lists them. */
export function NumberCells({ session, sort }: { session: SessionSummary; sort: SessionSort }) {
  return numberColumns(sort).map(({ key, label, field, format, from, none, isError }) => {
    const denied = isError ? (session.toolsDenied ?? 0) : 0;
    const failed = isError ? (failedCalls(session) ?? 0) : 0;
    if (field === "cost") return <CostCell key={key} cost={session.cost} className={shownClass(from)} />;
    return (
      <NumberCell
        key={key}
        label={label}
        value={denied > 0 && failed > 0 ? failed : session[field]}
        format={FORMATS[format]}
        none={none}
        // Refused calls alone are no errors of a tool.
        title={denied > 0 ? formatFailures(failed, denied) : undefined}
        className={clsx(
          isError && failed > 0 ? "text-err" : denied > 0 ? "text-warn" : "text-fg-2",
          shownClass(from),
        )}
      />
    );
  });
}

/** The cost of a session. Some tokens without a price are a plus; if no token has one there is no amount. */
function CostCell({ cost, className }: { cost: SessionSummary["cost"]; className: string | undefined }) {
  const known = { label: "Cost", format: formatDollars, className: clsx("text-fg-2", className) };
  if (!cost) return <NumberCell {...known} value={null} />;
  if (cost.microUsd !== null && cost.unpricedTokens === 0)
    return <NumberCell {...known} value={cost.microUsd} none="no usage recorded" title="API-equivalent" />;
  const unpriced = `${formatCount(cost.unpricedTokens)} tokens of models without a known price`;
  return (
    <span role="cell" title={unpriced} className={clsx("text-right tabular-nums", known.className)}>
      {cost.microUsd === null ? (
        <span className="text-fg-3">unpriced</span>
      ) : (
        formatCost(cost.microUsd, cost.unpricedTokens)
      )}
    </span>
  );
}

/**
 * What a narrow row says of the figure that its list is ordered by: `$0.98`, `1.9M tok`. `null` where the order is by
 * another one, which every such row has, or by none, and where it is not known or nothing.
 */
export function orderedFigure(session: SessionSummary, sort: SessionSort): string | null {
  const { bytes, toolCalls, tokens, cost } = session;
  switch (sort) {
    case "bytes":
      return formatBytes(bytes);
    case "tools":
      return toolCalls ? formatPlural(toolCalls, "tool") : null;
    case "tokens":
      return tokens ? formatTokens(tokens) : null;
    case "cost":
      return cost && (cost.microUsd || cost.unpricedTokens)
        ? formatCost(cost.microUsd, cost.unpricedTokens)
        : null;
    default:
      return null;
  }
}

/** A number at the right edge. An unknown one is blank, zero is a dot: neither stands out. */
export function NumberCell({
  value,
  format,
  label,
  none = "0",
  title,
  className,
}: {
  value: number | null;
  format: (value: number) => string;
  label: string;
  /** The meaning of 0, if it is not just none. */
  none?: string;
  title?: string | undefined;
  className?: string;
}) {
  return (
    <span role="cell" title={title} className={clsx("text-right tabular-nums", className ?? "text-fg-2")}>
      {value === null ? (
        <span className="text-fg-3" title={`${label}: not counted yet`}>
          <span className="sr-only">not counted yet</span>
        </span>
      ) : value === 0 ? (
        <span className="text-fg-3" title={none === "0" ? undefined : none}>
          <span aria-hidden="true">·</span>
          <span className="sr-only">{none}</span>
        </span>
      ) : (
        format(value)
      )}
    </span>
  );
}
