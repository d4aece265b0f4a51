import { clsx } from "clsx";
import { formatCompact, formatCount, formatPercent } from "@/lib/format/format";
import type { ContextShares } from "@/lib/wire/model-requests/messages";
import { type TokenEstimate, useTokenEstimate } from "./token-estimate";

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
  const estimate = useTokenEstimate();
  const unlogged = unloggedTokens(shares, sent, estimate);
  const whole = estimate.tokens(totalChars(shares)) + unlogged;
  const share = (tokens: number) => formatPercent(tokens / whole);
  return (
    <div className="px-3 pt-2 pb-2">
      <div aria-hidden="true" className="flex h-4 gap-px">
        {unlogged > 0 && (
          <span
            className={clsx("min-w-0.5 border border-line-2", UNLOGGED)}
            style={{ flexGrow: unlogged, flexBasis: 0 }}
          />
        )}
        {SHARES.filter(({ key }) => shares[key] > 0).map(({ key, fill }) => (
          <span
            key={key}
            className={clsx("min-w-0.5", fill)}
            style={{ flexGrow: estimate.tokens(shares[key]), flexBasis: 0 }}
          />
        ))}
      </div>
      <ul className="mt-1.5 grid gap-x-6 text-11/[18px] text-fg-2 @min-[480px]/context:grid-cols-2">
        {(!recorded || unlogged > 0) && (
          <li
            className={clsx(GRID, "@min-[480px]/context:col-span-2")}
            title={
              recorded
                ? "Images have no characters, and what the log clips has fewer than were sent"
                : "System prompt, tools and reminders are sent with every request; this client does not log them"
            }
          >
            <span aria-hidden="true" className={clsx("size-2.5 border border-line-2", UNLOGGED)} />
            <span className="truncate">
              {recorded ? "images, clipped texts" : "system prompt, tools, reminders"}
            </span>
            <span className="text-right text-fg-3">not in the log</span>
            <span className="text-right">{unlogged > 0 && `≈${formatCompact(unlogged)}`}</span>
            <span className="text-right text-fg-3">{unlogged > 0 && share(unlogged)}</span>
          </li>
        )}
        {SHARES.filter(({ key }) => shares[key] > 0).map(({ key, label, fill }) => (
          <li key={key} title={estimate.long(shares[key])} className={GRID}>
            <span aria-hidden="true" className={clsx("size-2.5", fill)} />
            <span className="truncate">{label}</span>
            <span className="text-right whitespace-nowrap text-fg-3">{formatCount(shares[key])} ch</span>
            <span className="text-right">{estimate.short(shares[key])}</span>
            <span className="text-right text-fg-3">{share(estimate.tokens(shares[key]))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const GRID = "grid grid-cols-[10px_minmax(0,1fr)_auto_44px_36px] items-center gap-x-2 tabular-nums";

/** An estimate is not expected to be better than this, by the usual length of a token and by that of this conversation. */
const ROUGHLY_GUESSED = 0.3;
const ROUGHLY_MEASURED = 0.1;

/** How many of the tokens that the API counted the log has no text of; 0 where the estimate comes near. */
export function unloggedTokens(shares: ContextShares, sent: number | null, estimate: TokenEstimate): number {
  if (sent === null) return 0;
  const left = sent - estimate.tokens(totalChars(shares));
  return left > sent * (estimate.measured === null ? ROUGHLY_GUESSED : ROUGHLY_MEASURED) ? left : 0;
}

/** The length of a whole request in characters. */
export function totalChars(shares: ContextShares): number {
  return SHARES.reduce((sum, { key }) => sum + shares[key], 0);
}

/** What is not there to be shown: hatched as elsewhere, but strong enough to be seen as the bar's greatest part. */
const UNLOGGED = "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_1px,var(--raised)_1px_5px)]";

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
