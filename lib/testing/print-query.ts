import type { Leaf, Query } from "@/lib/query/parse-query";

type Piece = string | { query: Query; within: "or" | "and" | "not" };

/** A query as text that reads as the same query. Iterative, as the parser is. */
export function printQuery(query: Query | null): string {
  if (query === null) return "";
  let text = "";
  const open: Piece[] = [{ query, within: "or" }];
  while (open.length > 0) {
    const piece = open.pop() as Piece;
    if (typeof piece === "string") text += piece;
    else for (const next of piecesOf(piece.query, piece.within).reverse()) open.push(next);
  }
  return text;
}

function piecesOf(query: Query, within: "or" | "and" | "not"): Piece[] {
  switch (query.kind) {
    case "not":
      // Only brackets can stand between two minus signs.
      return within === "not"
        ? ["(-", { query: query.part, within: "not" }, ")"]
        : ["-", { query: query.part, within: "not" }];
    case "and":
      return bracketed(within === "not", joined(query.parts, "\n", "and"));
    case "or":
      return bracketed(within !== "or", joined(query.parts, "\nOR\n", "and"));
    default:
      return [printLeaf(query)];
  }
}

function bracketed(needed: boolean, pieces: Piece[]): Piece[] {
  return needed ? ["(", ...pieces, ")"] : pieces;
}

function joined(parts: readonly Query[], between: string, within: "and"): Piece[] {
  // Inside an OR a row of words needs no brackets: it binds tighter.
  return parts.flatMap((query, at): Piece[] => [
    ...(at === 0 ? [] : [between]),
    { query, within: between !== "\n" && query.kind === "and" ? "or" : within },
  ]);
}

/** A word or filter as it is typed. */
function printLeaf(leaf: Leaf): string {
  switch (leaf.kind) {
    case "word":
      return leaf.text;
    case "phrase":
      return quote(leaf.text);
    case "regex":
      return `/${leaf.source}/`;
    case "filter":
      return `${leaf.name}:${/^[^\s"()]+$/.test(leaf.value) ? leaf.value : quote(leaf.value)}`;
  }
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
