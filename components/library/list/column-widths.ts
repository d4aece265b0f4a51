import type { CSSProperties } from "react";
import { splitPath } from "@/lib/format/text";
import { type NumberColumn, numberColumns, type SessionSort } from "@/lib/wire/library-columns";

/** Widths of the number columns, for `library-columns` in globals.css: for each page width those that are shown. */
export function columnWidths(sort: SessionSort): CSSProperties {
  const columns = numberColumns(sort);
  const widths = (...shown: NumberColumn["from"][]) =>
    columns
      .filter(({ from }) => shown.includes(from))
      .map(({ width }) => `calc(${width}px * var(--u))`)
      .join(" ");
  return {
    "--number-columns": widths(undefined),
    "--number-columns-md": widths(undefined, "md"),
    "--number-columns-xl": widths(undefined, "md", "xl"),
  } as CSSProperties;
}

/** The average width of a letter at the normal text size. */
const CH_PX = 7;
const MIN_PROJECT_CH = 8;
const MAX_PROJECT_CH = 22;
const MIN_BRANCH_CH = 8;

/** The column of projects is as wide as the longest name, within limits. */
export function projectWidth(projects: readonly { path: string }[]): CSSProperties {
  const longest = Math.max(0, ...projects.map(({ path }) => splitPath(path).name.length));
  const characters = Math.min(MAX_PROJECT_CH, Math.max(MIN_PROJECT_CH, longest + 1));
  return { "--project-column": `calc(${characters * CH_PX}px * var(--u))` } as CSSProperties;
}

/** The column of branches is no wider than the longest name among these; the page's width sets its limit. */
export function branchWidth(sessions: readonly { gitBranch: string | null }[]): CSSProperties {
  let longest = MIN_BRANCH_CH;
  for (const { gitBranch } of sessions) longest = Math.max(longest, gitBranch?.length ?? 0);
  return { "--branch-column": `calc(${longest + 1} * ${CH_PX}px * var(--u))` } as CSSProperties;
}
