import { createContext } from "react";
import type { Row } from "@/lib/wire/rows";

/** What the rail beside a row is drawn from: agents that are out, and the branch that the spine is on. */
export type RailRow = Pick<Row, "lanes" | "spine"> & { fork?: Extract<Row, { kind: "fork" }> };

/** Given by the row to the rail inside it, wherever its view puts one. */
export const RailRowContext = createContext<RailRow | null>(null);
