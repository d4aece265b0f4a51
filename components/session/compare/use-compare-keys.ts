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

/** The keys of a comparison with these lines. */
export function useCompareKeys(
  items: readonly CompareItem[],
  { at, setAt, onToggle, onToggleStem, onOpen, onSwap, onBack }: CompareActions,
): void {
  const step = (by: number, isMeant: (item: CompareItem) => boolean) => {
    const index = items.findIndex(({ key }) => key === at);
    const found =
      by > 0
        ? items.slice(index + 1).find(isMeant)
        : items.slice(0, index === -1 ? items.length : index).findLast(isMeant);
    if (found) setAt(found.key);
  };
  const openItem = () => {
    const item = items.find(({ key }) => key === at);
    if (!item || item.kind === "note") return;
    const { left, right } = item.kind === "turns" ? item.turns : item.rows;
    if (right) onOpen("right", right.recordId, "block" in right ? right.block : 0);
    else if (left) onOpen("left", left.recordId, "block" in left ? left.block : 0);
  };
  const unfold = () => {
    const item = items.find(({ key }) => key === at);
    if (!item || item.kind === "note") onToggleStem();
    else onToggle(item.turns);
  };
  const isLine = ({ kind }: CompareItem) => kind !== "note";
  useKeys([
    { keys: ["j"], label: "next row, on both sides", group: "Move", run: () => step(1, isLine) },
    { keys: ["k"], label: "previous row, on both sides", group: "Move", run: () => step(-1, isLine) },
    { keys: ["n"], label: "next difference", group: "Move", run: () => step(1, ({ differs }) => differs) },
    {
      keys: ["N"],
      label: "previous difference",
      group: "Move",
      run: () => step(-1, ({ differs }) => differs),
    },
    { keys: ["o"], label: "unfold or fold the turn, or the stem", group: "Open and read", run: unfold },
    { keys: ["X"], label: "swap the sides", group: "Views and panes", run: onSwap },
    { keys: ["Enter"], label: "open the row in the thread", group: "Open and read", run: openItem },
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: onBack },
  ]);
}
