import type { Row } from "@/lib/wire/rows";

/** What every kind of row is drawn from. */
export type RowProps<Kind extends Row["kind"]> = {
  row: Extract<Row, { kind: Kind }>;
  open: boolean;
  selected: boolean;
};
