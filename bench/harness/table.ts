import type { Row } from "./section";

const HEADINGS = ["what", "budget", "measured", "n", "÷ P", ""];

/** The rows as a plain-text table, each column as wide as its widest cell. */
export function formatTable(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => "─".repeat(width)).join("  "));
  return lines.join("\n");
}

function cellsOf({ label, budget, measured, samples, ratio, ok, note }: Row): string[] {
  const verdict = ok === null ? "" : ok ? "ok" : "over";
  return [
    label,
    budget,
    measured ?? "–",
    samples > 0 ? String(samples) : "",
    ratio === null ? "" : ratio.toFixed(2),
    [verdict, note].filter(Boolean).join(" · "),
  ];
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(width - cell.length);
}
