import { clsx } from "clsx";
import type { MouseEvent, ReactNode } from "react";
import { formatCompact, formatCost, formatCount, formatModel } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type RequestUsage, usageTokens } from "@/lib/wire/usage";

/** The note on every amount: it is no bill. */
export const API_EQUIVALENT = "API-equivalent: at list prices";

/** `in 1,204 · out 60 · cache read 1.2M · cache written 40k for 5 m, 8k for 1 h`: tokens by how they were sent or written. */
export function tokenWords({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: RequestUsage): string {
  const written = [
    cacheWrite5m > 0 && `${formatCompact(cacheWrite5m)} for 5 m`,
    cacheWrite1h > 0 && `${formatCompact(cacheWrite1h)} for 1 h`,
  ].filter(Boolean);
  return [
    `in ${formatCount(input)}`,
    `out ${formatCount(output)}`,
    cacheRead > 0 && `cache read ${formatCompact(cacheRead)}`,
    written.length > 0 && `cache written ${written.join(", ")}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** `$0.30 · opus-4-5 · in 1,204 · …`: everything that is known of requests, in one line. */
export function usageWords(usage: RequestUsage): string {
  return [costWords(usage), usage.models.map(formatModel).join(", "), tokenWords(usage)].join(" · ");
}

function costWords({ cost }: RequestUsage): string {
  return formatCost(cost.microUsd, cost.unpricedTokens);
}

/** The usage of a turn's own requests, and of its agents': either may be missing, if the log counts nothing. */
export type TurnUsage = { own: RequestUsage | null; agents: RequestUsage | null };

/** `84k tok · $0.42`: the usage of a turn, agents included; the parts are in its title, and below the opened row. */
export function TurnUsageFigure({
  usage,
  className,
  onOpen,
}: {
  usage: TurnUsage;
  className?: string;
  onOpen: (() => void) | null;
}) {
  const all = togetherOf(usage);
  if (!all) return null;
  const text = (
    <>
      {formatCompact(usageTokens(all))} tok<span className="text-fg-3"> · </span>
      {costWords(all)}
    </>
  );
  const title = [
    `${API_EQUIVALENT}${usage.agents ? ", agents included" : ""}`,
    usage.agents && usage.own && `own only: ${usageWords(usage.own)}`,
    usage.agents ? `agents: ${usageWords(usage.agents)}` : usageWords(all),
  ]
    .filter(Boolean)
    .join("\n");
  return (
    <UsageFigure
      title={labelHidden(title)}
      className={className}
      onOpen={
        onOpen &&
        ((event) => {
          event.stopPropagation();
          onOpen();
        })
      }
    >
      {text}
    </UsageFigure>
  );
}

/** An amount, with its parts in the title; a click opens the parts, if there is a place for them. */
export function UsageFigure({
  title,
  className,
  onOpen,
  children,
}: {
  title: string;
  className?: string;
  onOpen: ((event: MouseEvent) => void) | null;
  children: ReactNode;
}) {
  if (!onOpen)
    return (
      <span data-log="none" className={className} title={labelHidden(title)}>
        {children}
      </span>
    );
  return (
    <button
      type="button"
      tabIndex={-1}
      data-log="none"
      title={labelHidden(title)}
      className={clsx(
        "touch-room rounded-1 hover:text-fg hover:underline pointer-coarse:relative",
        className,
      )}
      onClick={onOpen}
    >
      {children}
    </button>
  );
}

/** The usage of a turn, a line for its own requests and one for its agents'. */
export function TurnUsageLines({ usage }: { usage: TurnUsage }) {
  const { own, agents } = usage;
  const all = togetherOf(usage);
  if (!all) return null;
  return (
    <>
      {agents && (
        <p>
          {formatCompact(usageTokens(all))} tok · {costWords(all)}{" "}
          <span className="text-fg-3">agents included, API-equivalent</span>
        </p>
      )}
      {own && (
        <p>
          {agents && <span className="text-fg-3">own only </span>}
          <UsageLine usage={own} />
          {!agents && <span className="text-fg-3"> · API-equivalent</span>}
        </p>
      )}
      {agents && (
        <p>
          <span className="text-fg-3">agents </span>
          <UsageLine usage={agents} />
        </p>
      )}
    </>
  );
}

function UsageLine({ usage }: { usage: RequestUsage }) {
  return (
    <>
      {costWords(usage)}{" "}
      <span className="text-fg-2">
        · {usage.models.map(formatModel).join(", ")} · {tokenWords(usage)}
      </span>
    </>
  );
}

/** Both added up; null where the log counts no tokens of either. */
function togetherOf({ own, agents }: TurnUsage): RequestUsage | null {
  if (!own || !agents) return own ?? agents;
  const sum = (kind: "input" | "output" | "cacheRead" | "cacheWrite5m" | "cacheWrite1h") =>
    own[kind] + agents[kind];
  const isUnpriced = own.cost.microUsd === null && agents.cost.microUsd === null;
  return {
    input: sum("input"),
    output: sum("output"),
    cacheRead: sum("cacheRead"),
    cacheWrite5m: sum("cacheWrite5m"),
    cacheWrite1h: sum("cacheWrite1h"),
    cost: {
      microUsd: isUnpriced ? null : (own.cost.microUsd ?? 0) + (agents.cost.microUsd ?? 0),
      unpricedTokens: own.cost.unpricedTokens + agents.cost.unpricedTokens,
    },
    models: [...new Set([...own.models, ...agents.models])],
  };
}
