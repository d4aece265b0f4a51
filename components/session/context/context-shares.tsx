import { cx } from "@/lib/client/class-names";
import { formatCount, formatPercent } from "@/lib/format/format-count";
import type { ContextShares } from "@/lib/wire/messages";
import { estimateTokens, estimateWords } from "./estimate-tokens";
import { SHARES } from "./share-fills";

/** What a request is made of: a bar in the order it is sent, and the same as a list. */
export function ContextSharesView({ shares, recorded }: { shares: ContextShares; recorded: boolean }) {
  const total = totalChars(shares);
  return (
    <div className="px-3 pt-2 pb-2">
      <div aria-hidden="true" className="flex h-4 gap-px">
        {SHARES.filter(({ key }) => shares[key] > 0).map(({ key, fill }) => (
          <span key={key} className={cx("min-w-0.5", fill)} style={{ flexGrow: shares[key], flexBasis: 0 }} />
        ))}
      </div>
      <ul className="mt-1.5 grid gap-x-6 text-11/[18px] text-fg-2 @min-[480px]/context:grid-cols-2">
        {SHARES.map(({ key, label, fill }) => {
          // The records hold neither; a rebuilt request says so instead of 0.
          const unknown = !recorded && (key === "system" || key === "tools");
          if (shares[key] === 0 && !unknown) return null;
          return (
            <li
              key={key}
              title={unknown ? undefined : estimateWords(shares[key])}
              className="grid grid-cols-[10px_minmax(0,1fr)_auto_44px_36px] items-center gap-x-2 tabular-nums"
            >
              <span aria-hidden="true" className={cx("size-2.5", fill)} />
              <span className="truncate">{label}</span>
              {unknown ? (
                <span className="col-span-3 text-fg-3">not in the log</span>
              ) : (
                <>
                  <span className="text-right whitespace-nowrap text-fg-3">
                    {formatCount(shares[key])} ch
                  </span>
                  <span className="text-right">{estimateTokens(shares[key])}</span>
                  <span className="text-right text-fg-3">
                    {shares[key] * 100 < total ? "<1 %" : formatPercent(shares[key] / total)}
                  </span>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Characters of a whole request. */
export function totalChars(shares: ContextShares): number {
  return SHARES.reduce((sum, { key }) => sum + shares[key], 0);
}
