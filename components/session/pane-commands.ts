import type { KeyCommand } from "@/lib/client/key-registry";
import type { SessionStore } from "./session-store";

/** The commands that every page of a thread with others beside it has, on the server and in an exported file. */
export function paneCommands(store: SessionStore): KeyCommand[] {
  return [
    {
      keys: ["p"],
      label: "agent beside the thread",
      group: "Views and panes",
      run: store.panes.openSelectedAgent,
    },
    {
      keys: ["b"],
      label: "the turn in brief",
      group: "Open and read",
      run: () => void store.toggleBrief(),
    },
    {
      keys: ["Escape"],
      label: "close the last pane",
      group: "Views and panes",
      when: store.panes.hasAny,
      run: store.panes.closeLast,
    },
  ];
}
