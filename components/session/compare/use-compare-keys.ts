import { useEffect, useEffectEvent, useRef } from "react";
import { useKeys } from "@/lib/client/key-registry";
import type { SideName, TurnPair } from "@/lib/wire/compare";
import type { RecordId } from "@/lib/wire/ids";
import type { CompareItem } from "./use-compare";

/** What the keys of a comparison act on: its current line, by its key, and what can be done with one. */
type CompareActions = {
  at: string | null;
  setAt: (key: string) => void;
  onToggle: (turns: TurnPair) => void;
  onToggleStem: () => void;
  onOpen: (side: SideName, record: RecordId, block: number) => void;
  onSwap: () => void;
  onBack: () => void;
};

/** A key that acts on the current line, as far as its lines are there. */
type Press = { by: 1 | -1; isMeant: (item: CompareItem) => boolean } | "open" | "unfold";

/**
 * The keys of a comparison with these lines. A step to a line that is still on its way, and what is pressed after it, wait
 * for that line.
 * @param isOnItsWay more lines may come below these
 */
export function useCompareKeys(
  items: readonly CompareItem[],
  isOnItsWay: boolean,
  { at, setAt, onToggle, onToggleStem, onOpen, onSwap, onBack }: CompareActions,
): void {
  const awaited = useRef<Press[]>([]);
  const stepFrom = (key: string | null, by: 1 | -1, isMeant: (item: CompareItem) => boolean) => {
    const index = items.findIndex((item) => item.key === key);
    return by > 0
      ? items.slice(index + 1).find(isMeant)
      : items.slice(0, index === -1 ? items.length : index).findLast(isMeant);
  };
  const open = (item: CompareItem | undefined) => {
    if (!item || item.kind === "note") return;
    const { left, right } = item.kind === "turns" ? item.turns : item.rows;
    if (right) onOpen("right", right.recordId, "block" in right ? right.block : 0);
    else if (left) onOpen("left", left.recordId, "block" in left ? left.block : 0);
  };
  const unfold = (item: CompareItem | undefined) => {
    if (!item || item.kind === "note") onToggleStem();
    else onToggle(item.turns);
  };
  /** Does what can be done of what was pressed, in that order. */
  const act = () => {
    let key = at;
    for (let press = awaited.current[0]; press !== undefined; press = awaited.current[0]) {
      const current = items.find((item) => item.key === key);
      if (press === "open") open(current);
      else if (press === "unfold") unfold(current);
      else {
        const found = stepFrom(key, press.by, press.isMeant);
        if (!found && isOnItsWay && press.by > 0) break;
        key = found?.key ?? key;
      }
      awaited.current.shift();
    }
    if (key !== null && key !== at) setAt(key);
  };
  const actAwaited = useEffectEvent(act);
  useEffect(() => {
    if (items.length > 0 || !isOnItsWay) actAwaited();
  }, [items, isOnItsWay]);
  const take = (press: Press) => {
    awaited.current.push(press);
    act();
  };
  const isLine = ({ kind }: CompareItem) => kind !== "note";
  const isDifferent = ({ differs }: CompareItem) => differs;
  const step = (by: 1 | -1, isMeant: (item: CompareItem) => boolean) => () => take({ by, isMeant });
  const swap = () => {
    awaited.current = [];
    onSwap();
  };
  useKeys([
    { keys: ["j"], label: "next row, on both sides", group: "Move", run: step(1, isLine) },
    { keys: ["k"], label: "previous row, on both sides", group: "Move", run: step(-1, isLine) },
    { keys: ["n"], label: "next difference", group: "Move", run: step(1, isDifferent) },
    { keys: ["N"], label: "previous difference", group: "Move", run: step(-1, isDifferent) },
    {
      keys: ["o"],
      label: "unfold or fold the turn, or the stem",
      group: "Open and read",
      run: () => take("unfold"),
    },
    { keys: ["X"], label: "swap the sides", group: "Views and panes", run: swap },
    { keys: ["Enter"], label: "open the row in the thread", group: "Open and read", run: () => take("open") },
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: onBack },
  ]);
}
