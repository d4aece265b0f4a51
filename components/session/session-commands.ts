import { useOrganiseKeys } from "@/components/annotations/organise";
import { copyFilePlace, openInEditor, useEditor } from "@/components/thread/file-place";
import { readingCommands } from "@/components/thread/reading-commands";
import { copyCommand } from "@/components/thread/row-text";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { parsePermalink } from "@/lib/client/address/session-url";
import { useIsGuest } from "@/lib/client/connection/token";
import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { DETAILS, type Row } from "@/lib/wire/rows";
import { paneCommands } from "./pane-commands";
import { copySelectedRows } from "./selected-rows";
import { useSessionPage } from "./session-store";

/**
 * The session page's commands, but for those of the graph, of finding and of printing. Those that act on the thread
 * and on what stands beside it can't be run while something else stands in its place.
 */
export function useSessionCommands(): void {
  const { session, store, choice, setUrl } = useSessionPage();
  const { thread } = store;
  const rowCommands = useRowCommands();
  const when = () => !store.views.isCovered();
  const onThread = (...commands: KeyCommand[]) =>
    commands.map((command) => ({ ...command, when: () => when() && command.when?.() !== false }));

  const isGuest = useIsGuest();
  useOrganiseKeys(() => (session && !isGuest ? [session] : []));
  useKeys([
    {
      keys: ["T"],
      label: "note on the project",
      group: "Mark and organise",
      when: () => session !== null && !isGuest,
      run: () => session && openPageDialog({ project: session.projectId }),
    },
  ]);

  // Its dialog is there as soon as what it exports is known, which may be after the first rows.
  useKeys([
    {
      keys: ["x"],
      label: "export",
      group: "Copy and share",
      when: () => session !== null || thread.get().error === null,
      run: () => openPageDialog("export"),
    },
  ]);

  // Where two have the same key, the later scope wins.
  useKeys(
    onThread(
      {
        keys: ["c"],
        label: "context: what the model was sent",
        group: "Views and panes",
        run: store.panes.toggleContext,
      },
      { keys: ["F"], label: "files of the session", group: "Views and panes", run: store.panes.toggleFiles },
      ...paneCommands(store),
    ),
  );
  useKeys(
    onThread(
      ...readingCommands(store.atHand),
      ...rowCommands,
      ...DETAILS.map((detail, index) => ({
        keys: [String(index + 1)],
        label: `show ${detail}`,
        group: "Open and read" as const,
        run: () => choice.detail !== detail && setUrl({ detail }),
      })),
    ),
  );
  useViewCommands();
}

/** Commands on the selected row and the rows around it. */
function useRowCommands(): KeyCommand[] {
  const { sessionId, store, url } = useSessionPage();
  const thread = store.atHand.get;
  const editor = useEditor();
  /** The selected row, and the line of it that the address points at. */
  const pointedAt = (): [row: Row | null, line?: number] => {
    const row = thread().selected()?.row ?? null;
    const place = parsePermalink(url.at);
    const isHere = row !== null && place?.recordId === row.recordId && (place.block ?? 0) === row.block;
    return isHere && place.lines ? [row, place.lines.from] : [row];
  };
  const withSelected = (use: (row: Row) => void) => () => {
    const selected = thread().selected();
    if (selected) use(selected.row);
  };
  return [
    {
      keys: ["shift+ArrowDown"],
      label: "extend the selection down",
      group: "Move",
      run: () => thread().extend(1),
    },
    {
      keys: ["shift+ArrowUp"],
      label: "extend the selection up",
      group: "Move",
      run: () => thread().extend(-1),
    },
    { keys: [")"], label: "next branch", group: "Move", run: () => void thread().stepBranch(1) },
    { keys: ["("], label: "previous branch", group: "Move", run: () => void thread().stepBranch(-1) },
    { keys: ["i"], label: "inspector", group: "Views and panes", run: store.panes.toggleInspector },
    {
      keys: ["y"],
      label: "copy link",
      group: "Copy and share",
      run: withSelected(store.copyLinkAtHand),
    },
    copyCommand(
      "copy the row’s text, or the selected rows as Markdown",
      () => void copySelectedRows(thread()),
    ),
    {
      keys: ["Y"],
      label: "copy path:line",
      group: "Copy and share",
      run: () => void copyFilePlace(sessionId, ...pointedAt()),
    },
    {
      keys: ["E"],
      label: "open in the editor",
      group: "Open and read",
      when: () => editor !== "",
      run: () => {
        const [row, line] = pointedAt();
        void openInEditor(sessionId, row, editor, line);
      },
    },
  ];
}

/** Commands that open the views in the thread's place, and lead back out of them. */
function useViewCommands(): void {
  const { session, store } = useSessionPage();
  useKeys([
    {
      keys: ["C"],
      label: "context over time, and cache misses",
      group: "Views and panes",
      run: () => (store.views.showsRequests() ? store.views.close() : store.views.openRequests()),
    },
  ]);
  useKeys([
    {
      keys: ["w"],
      label: "waterfall: where the time went",
      group: "Views and panes",
      run: store.views.toggleWaterfall,
    },
  ]);
  useKeys([
    {
      keys: ["d"],
      label: "changes of the turn",
      group: "Views and panes",
      run: store.views.openChangesOfTurn,
    },
    { keys: ["D"], label: "all changes", group: "Views and panes", run: () => store.views.openChanges(null) },
    {
      keys: ["="],
      label: "compare two branches",
      group: "Views and panes",
      when: () => session?.counts.branches !== 1,
      run: store.views.compareBranches,
    },
  ]);
}
