/** How a column of numbers stands in the library's table. */
export type NumberColumn = {
  /** From the left, among the columns of numbers. */
  place: number;
  /** Pixels at the normal text size. */
  width: number;
  format: "count" | "compact" | "bytes" | "dollars";
  /** Shown on pages at least this wide (`--breakpoint-…`); absent on all that have a table. */
  from?: "md" | "xl";
  /** It is shown in the place of another column, while the list is ordered by it. */
  insteadOf?: string;
  /** What 0 means, where it is not just none. */
  none?: string;
  /** Drawn as an error where it is not 0. */
  isError?: true;
};

type ColumnEntry = {
  /** Head of the column, and name of the order. */
  label: string;
  /** Head of the column, where it reads otherwise. */
  head?: string;
  /** The field of SessionSummary that holds it. Text goes by its letters, whatever their case. */
  field: string;
  /** What the list can be ordered by: the key is `sort=` of the API. Most first, or least; the unknown comes last. */
  order?: "descending" | "ascending";
  /** Known once a session's records have been read: `numbersOf` in lib/server/scan counts it. */
  isCounted?: true;
  number?: NumberColumn;
};

/**
 * What the library shows of each session and can be ordered by, in the order of its menu. Fields, API, address, menu
 * and table derive from this. A field that is counted must be returned by `numbersOf`; the sessions of an index without
 * it are counted anew. Where a field counts something else than before, the index's SCHEMA_VERSION is raised.
 */
export const LIBRARY_COLUMNS = {
  active: { label: "Last active", head: "When", field: "lastActiveAtMs", order: "descending" },
  started: { label: "Started", field: "startedAtMs", order: "descending" },
  title: { label: "Title", head: "Session", field: "title", order: "ascending" },
  bytes: {
    label: "Size",
    field: "bytes",
    order: "descending",
    number: { place: 4, width: 52, format: "bytes", insteadOf: "tokens" },
  },
  turns: {
    label: "Turns",
    field: "turns",
    isCounted: true,
    order: "descending",
    number: { place: 1, width: 40, format: "count" },
  },
  tools: {
    label: "Tools",
    field: "toolCalls",
    isCounted: true,
    order: "descending",
    number: { place: 2, width: 44, format: "count", from: "md" },
  },
  errors: {
    label: "Errors",
    field: "toolErrors",
    isCounted: true,
    order: "descending",
    number: { place: 6, width: 42, format: "count", isError: true },
  },
  /** Of the errors, those that a person or a rule refused. Not a column: the errors' own tells them apart. */
  denied: { label: "Denied", field: "toolsDenied", isCounted: true },
  agents: {
    label: "Agents",
    field: "agentCount",
    isCounted: true,
    number: { place: 3, width: 44, format: "count", from: "xl" },
  },
  /** Input, output and cache tokens of all messages, each message once, agents included. */
  tokens: {
    label: "Tokens",
    field: "tokens",
    isCounted: true,
    order: "descending",
    number: { place: 4, width: 52, format: "compact", none: "no usage recorded" },
  },
  /** At the API's list prices: the figure is `microUsd` of the field. */
  cost: {
    label: "Cost",
    field: "cost",
    order: "descending",
    number: { place: 5, width: 56, format: "dollars", from: "md", none: "no usage recorded" },
  },
} as const satisfies Record<string, ColumnEntry>;

type Columns = typeof LIBRARY_COLUMNS;

type LibraryColumn = keyof Columns;

/** What the library can be ordered by. */
export type SessionSort = {
  [Key in LibraryColumn]: Columns[Key] extends { order: string } ? Key : never;
}[LibraryColumn];

type CountedField = Extract<Columns[LibraryColumn], { isCounted: true }>["field"];

/** Numbers of a session that are `null` until its records have been read. */
export type SessionFigures = Record<CountedField, number | null>;

/** Calls that went wrong by themselves, without those that a person or a rule refused; null until they are counted. */
export function failedCalls(figures: { toolErrors: number; toolsDenied: number }): number;
export function failedCalls(figures: Pick<SessionFigures, "toolErrors" | "toolsDenied">): number | null;
export function failedCalls({
  toolErrors,
  toolsDenied,
}: Pick<SessionFigures, "toolErrors" | "toolsDenied">): number | null {
  return toolErrors === null ? null : toolErrors - (toolsDenied ?? 0);
}

/** What the catalogue has of a column. */
function columnEntry(key: LibraryColumn): ColumnEntry & { field: Columns[LibraryColumn]["field"] } {
  return LIBRARY_COLUMNS[key];
}

const KEYS = Object.keys(LIBRARY_COLUMNS) as LibraryColumn[];

export const SESSION_SORTS = KEYS.filter(isSort);

/** Whether the library can be ordered by a column. */
export function isSort(key: LibraryColumn): key is SessionSort {
  return columnEntry(key).order !== undefined;
}

/** The figures of a session that has not been read. */
export const UNKNOWN_FIGURES = Object.fromEntries(
  KEYS.filter((key) => columnEntry(key).isCounted).map((key) => [columnEntry(key).field, null]),
) as SessionFigures;

type ShownNumber = NumberColumn & {
  key: LibraryColumn;
  label: string;
  field: keyof SessionFigures | "bytes" | "cost";
};

const NUMBERS = new Map(SESSION_SORTS.map((sort) => [sort, findNumbers(sort)]));

/** The columns of numbers from left to right, in a list with this order. The one that it is ordered by is on every page. */
export function numberColumns(sort: SessionSort): readonly ShownNumber[] {
  return NUMBERS.get(sort) ?? [];
}

function findNumbers(sort: SessionSort): ShownNumber[] {
  const replaced = columnEntry(sort).number?.insteadOf;
  return KEYS.flatMap((key) => {
    const { number, label, field } = columnEntry(key);
    const isShown = number?.insteadOf === undefined ? key !== replaced : key === sort;
    if (!number || !isShown) return [];
    const { from, ...place } = number;
    const shown = { ...place, key, label, field: field as ShownNumber["field"] };
    return [from === undefined || key === sort ? shown : { ...shown, from }];
  }).sort((a, b) => a.place - b.place);
}
