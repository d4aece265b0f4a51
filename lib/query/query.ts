import type { FilterName } from "./filters";

/** A query as a tree. `and` and `or` have at least two parts; a query of nothing is `null`. */
export type Query =
  | { kind: "word"; text: string }
  | { kind: "phrase"; text: string }
  | { kind: "regex"; source: string }
  | { kind: "filter"; name: FilterName; value: string }
  | { kind: "not"; part: Query }
  | { kind: "and"; parts: Query[] }
  | { kind: "or"; parts: Query[] };

export type Leaf = Exclude<Query, { kind: "not" | "and" | "or" }>;

/** What is wrong with a query, from one character to another. The term is then looked for as a plain word. */
export type QueryError = { from: number; to: number; message: string };

export type ParsedQuery = { query: Query | null; errors: QueryError[] };
