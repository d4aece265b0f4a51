import { createContext, useContext, useState } from "react";

/** What a reader has unfolded in a row: how much of a text is shown, whether a branch is open, by the part's name. */
export type Unfolded = boolean | number | null;

/** Keeps what was unfolded in one row while the row itself has left the page. */
export type RowState = {
  get: (part: string) => Unfolded | undefined;
  set: (part: string, value: Unfolded) => void;
};

/** The state of the row around; `null` where nothing is kept. */
export const RowStateContext = createContext<RowState | null>(null);

/** `boolean` for `false`. */
type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : Value;

/** Like `useState`, for a part of a row: its value is there again when the row comes back into the page. */
export function useUnfolded<Value extends Unfolded>(
  part: string,
  initial: Widened<Value>,
): [Widened<Value>, (value: Widened<Value>) => void] {
  const row = useContext(RowStateContext);
  const [value, setValue] = useState(() => (row?.get(part) as Widened<Value> | undefined) ?? initial);
  const put = (next: Widened<Value>) => {
    setValue(next);
    row?.set(part, next);
  };
  return [value, put];
}

const NAMED_CHARACTERS = 80;

/** Identifies a text among those of its row by its beginning, which stays while the text grows. */
export function textPart(kind: string, text: string): string {
  return `${kind} ${text.slice(0, NAMED_CHARACTERS)}`;
}
