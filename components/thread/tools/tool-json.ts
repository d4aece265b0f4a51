/** A longer text is shown as it is: parsing it would hold up the page. */
const PARSED_CHARACTERS = 500_000;

/** The object or list that a result's text spells, `null` for any other text. */
export function jsonIn(text: string): object | null {
  const first = text.trimStart()[0];
  if ((first !== "{" && first !== "[") || text.length > PARSED_CHARACTERS) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

export type DataTable = { columns: string[]; rows: readonly Record<string, unknown>[] };

/** More columns than a page has room for are left to the tree. */
const MOST_COLUMNS = 12;

/**
 * A list of like objects as a table: the value itself, or the only list in it (`{items: […]}`). `null` where
 * the items have little in common, or nest so that a cell could not hold them.
 */
export function tableIn(value: unknown): DataTable | null {
  const list = listIn(value);
  if (!list || list.length === 0 || !list.every(isPlain)) return null;
  const uses = new Map<string, number>();
  for (const row of list.slice(0, 100)) {
    for (const key of Object.keys(row)) uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  if (uses.size === 0 || uses.size > MOST_COLUMNS) return null;
  const shared = [...uses.values()].filter((count) => count * 2 >= Math.min(100, list.length)).length;
  return shared === 0 ? null : { columns: [...uses.keys()], rows: list };
}

function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  const lists = Object.values(value).filter(Array.isArray);
  const [only] = lists;
  return lists.length === 1 && only ? only : null;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
