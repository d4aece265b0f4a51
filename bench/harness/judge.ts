import { formatMs } from "./format";
import type { Row } from "./section";
import { median } from "./statistics";

/** A row for times in milliseconds; their median is compared with the budget. */
export function timeRow(
  label: string,
  samplesMs: readonly number[],
  budgetMs: number,
  baselineMs?: number,
): Row {
  const ms = median(samplesMs);
  return {
    label,
    budget: `≤ ${formatMs(budgetMs)}`,
    measured: spread(samplesMs),
    samples: samplesMs.length,
    ratio: baselineMs === undefined ? null : ms / baselineMs,
    ok: ms <= budgetMs,
  };
}

/** A row for a quantity with an upper limit. */
export function limitRow(
  label: string,
  samples: readonly number[],
  limit: number,
  show: (value: number) => string,
): Row {
  const value = median(samples);
  return {
    label,
    budget: `≤ ${show(limit)}`,
    measured: show(value),
    samples: samples.length,
    ratio: null,
    ok: value <= limit,
  };
}

/** A row without a measurement, with the reason. */
export function missingRow(label: string, budget: string, note: string): Row {
  return { label, budget, measured: null, samples: 0, ratio: null, ok: null, note };
}

function spread(samplesMs: readonly number[]): string {
  const middle = formatMs(median(samplesMs));
  if (samplesMs.length < 2) return middle;
  return `${middle} (${formatMs(Math.min(...samplesMs))}–${formatMs(Math.max(...samplesMs))})`;
}
