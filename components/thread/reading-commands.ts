import type { KeyCommand } from "@/lib/client/key-registry";
import type { ThreadAtHand } from "./store/thread-at-hand";

/**
 * The commands that every page of a thread has, on the server and in an exported file: to move in it, and to open rows. They
 * act on the thread at hand, which may be an agent's beside the page's own.
 */
export function readingCommands(atHand: ThreadAtHand): KeyCommand[] {
  const thread = atHand.get;
  return [
    { keys: ["j", "ArrowDown"], label: "row down", group: "Move", run: () => thread().step(1) },
    { keys: ["k", "ArrowUp"], label: "row up", group: "Move", run: () => thread().step(-1) },
    { keys: ["J"], label: "next turn", group: "Move", run: () => void thread().stepTurn(1) },
    { keys: ["K"], label: "previous turn", group: "Move", run: () => void thread().stepTurn(-1) },
    { keys: ["]"], label: "next error", group: "Move", run: () => void thread().stepError(1) },
    { keys: ["["], label: "previous error", group: "Move", run: () => void thread().stepError(-1) },
    { keys: ["}"], label: "next edit", group: "Move", run: () => void thread().goTo({ edit: 1 }) },
    { keys: ["{"], label: "previous edit", group: "Move", run: () => void thread().goTo({ edit: -1 }) },
    { keys: ["G"], label: "to the end", group: "Move", run: () => void thread().toEnd() },
    {
      keys: ["o", "Enter"],
      label: "open or close",
      group: "Open and read",
      run: () => thread().toggleSelected(),
    },
    { keys: ["e"], label: "open all of the turn", group: "Open and read", run: () => thread().expandTurn() },
    {
      keys: ["f"],
      label: "fold the turn",
      group: "Open and read",
      // Turns of an agent beside the thread don't fold.
      when: atHand.isMain,
      run: () => {
        const turn = atHand.main.selected()?.row.turn ?? atHand.main.get().position.turn;
        if (turn > 0) atHand.main.toggleFold(turn);
      },
    },
  ];
}
