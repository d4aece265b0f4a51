import { createContext } from "react";
import type { Row } from "@/lib/wire/rows";

/** What the rail beside a row is drawn from: agents that are out, and the branch that the spine is on. */
export type RailRow = Pick<Row, "lanes" | "spine"> & {
  fork?: Extract<Row, { kind: "fork" }>;
  /** How long its turn took, the scale of its span; `null` while the turn's header has not been seen. */
  turnMs: number | null;
};

/** Given by the row to the rail and the span inside it, wherever its view puts them. */
export const RailRowContext = createContext<RailRow | null>(null);
