import { cx } from "@/lib/client/class-names";
import { formatCompact, formatCount, formatPercent } from "@/lib/format/format";
import type { ContextShares } from "@/lib/wire/messages";
import { estimateTokens, formatEstimate, tokensOf } from "./context-entries";

/**
 * What a request consists of: a bar in sending order, and the same as a list. `sent` is what the API counted, where
 * the log has that: what the log cannot show of it is a part of its own.
 */
export function ContextSharesView({
  shares,
  recorded,
  sent,
}: {
  shares: ContextShares;
  recorded: boolean;
  sent: number | null;
}) {
  const total = totalChars(shares);
  // Records hold neither system prompt nor tools: of a rebuilt request they are what the API counted beyond the rest.
  const unloggedTokens = recorded ? 0 : Math.max(0, (sent ?? 0) - tokensOf(total));
  const whole = tokensOf(total) + unloggedTokens;
  const share = (tokens: number) => (tokens * 100 < whole ? "<1 %" : formatPercent(tokens / whole));
  return (
    <div className="px-3 pt-2 pb-2">
      <div aria-hidden="true" className="flex h-4 gap-px">
        {!recorded && unloggedTokens > 0 && (
          <span
            className="hatch min-w-0.5 border border-line-2"
            style={{ flexGrow: unloggedTokens, flexBasis: 0 }}
          />
        )}
        {SHARES.filter(({ key }) => shares[key] > 0).map(({ key, fill }) => (
          <span
            key={key}
            className={cx("min-w-0.5", fill)}
            style={{ flexGrow: tokensOf(shares[key]), flexBasis: 0 }}
          />
        ))}
      </div>
      <ul className="mt-1.5 grid gap-x-6 text-11/[18px] text-fg-2 @min-[480px]/context:grid-cols-2">
        {!recorded && (
          <li
            className={cx(GRID, "@min-[480px]/context:col-span-2")}
            title="System prompt, tools and reminders are sent with every request; this client does not log them"
          >
            <span aria-hidden="true" className="hatch size-2.5 border border-line-2" />
            <span className="truncate">system prompt, tools, reminders</span>
            <span className="text-right text-fg-3">not in the log</span>
            <span className="text-right">{unloggedTokens > 0 && `≈${formatCompact(unloggedTokens)}`}</span>
            <span className="text-right text-fg-3">{unloggedTokens > 0 && share(unloggedTokens)}</span>
          </li>
        )}
        {SHARES.filter(({ key }) => shares[key] > 0).map(({ key, label, fill }) => (
          <li key={key} title={formatEstimate(shares[key])} className={GRID}>
            <span aria-hidden="true" className={cx("size-2.5", fill)} />
            <span className="truncate">{label}</span>
            <span className="text-right whitespace-nowrap text-fg-3">{formatCount(shares[key])} ch</span>
            <span className="text-right">{estimateTokens(shares[key])}</span>
            <span className="text-right text-fg-3">{share(tokensOf(shares[key]))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const GRID = "grid grid-cols-[10px_minmax(0,1fr)_auto_44px_36px] items-center gap-x-2 tabular-nums";

/** The length of a whole request in characters. */
export function totalChars(shares: ContextShares): number {
  return SHARES.reduce((sum, { key }) => sum + shares[key], 0);
}

/** The parts of a request in sending order. Their tones are neutral, because colours stand for states here. */
const SHARES: readonly { key: keyof ContextShares; label: string; fill: string }[] = [
  {
    key: "system",
    label: "system prompt",
    fill: "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_2px,var(--raised)_2px_4px)]",
  },
  {
    key: "tools",
    label: "tools",
    fill: "bg-[repeating-linear-gradient(45deg,var(--line-3)_0_1px,var(--raised)_1px_4px)]",
  },
  {
    key: "memory",
    label: "memory",
    fill: "bg-[repeating-linear-gradient(90deg,var(--line-3)_0_2px,var(--bg)_2px_4px)]",
  },
  {
    key: "reminders",
    label: "reminders",
    fill: "bg-[repeating-linear-gradient(0deg,var(--line-3)_0_1px,var(--bg)_1px_3px)]",
  },
  { key: "files", label: "files", fill: "bg-line-2 shadow-[inset_0_0_0_1px_var(--line-3)]" },
  { key: "toolOutput", label: "tool output", fill: "bg-fg-3" },
  { key: "conversation", label: "conversation", fill: "bg-fg" },
];
