import { formatFold, parseFold } from "@/components/thread/thread-position";
import { toggledRun, withRuns } from "@/lib/client/address/session-url";
import { toggled } from "@/lib/format/lists";
import type { BranchId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { ReadingPlace } from "./reading-place";
import type { ThreadCore } from "./thread-core";
import type { ThreadSelection } from "./thread-selection";
import { UnfoldedRows } from "./unfolded-rows";

/** What of a thread is open: rows, which the store keeps, and turns, runs and a branch, which the address has. */
export class OpenRows {
  readonly #core: ThreadCore;
  readonly #selection: ThreadSelection;
  readonly #place: ReadingPlace;
  /** What was unfolded in open rows. */
  readonly unfolded = new UnfoldedRows();

  constructor(core: ThreadCore, selection: ThreadSelection, place: ReadingPlace) {
    this.#core = core;
    this.#selection = selection;
    this.#place = place;
  }

  toggleOpen(key: string): void {
    const open = toggled(this.#core.get().open, key);
    if (!open.has(key)) this.unfolded.drop(key);
    this.#core.set({ open });
  }

  openRow(key: string): void {
    const { open } = this.#core.get();
    if (!open.has(key)) this.#core.set({ open: new Set(open).add(key) });
  }

  /**
   * Opens all calls and thoughts of a turn, and its runs; closes them where all are open. It is the selected row's turn,
   * without one that which the reader is in.
   */
  expandTurn(): void {
    const core = this.#core;
    const selected = this.#selection.selected();
    const turn = selected?.row.turn ?? core.get().position.turn;
    const rows = [...(core.shown()?.windows.loaded() ?? [])].flatMap(([, row]) =>
      row.turn === turn ? [row] : [],
    );
    const closed = rows.flatMap((row) => (row.kind === "run" && !row.open ? [row.run] : []));
    const { address } = core.options;
    if (closed.length > 0) address.set({ runs: withRuns(address.get().runs, closed) });
    const keys = rows.flatMap((row) => (row.kind === "tool" || row.kind === "thinking" ? [row.key] : []));
    if (selected) core.list.current?.reveal(selected.index);
    const open = new Set(core.get().open);
    const allOpen = closed.length === 0 && keys.every((key) => open.has(key));
    for (const key of keys) {
      if (!allOpen) open.add(key);
      else if (open.delete(key)) this.unfolded.drop(key);
    }
    core.set({ open });
  }

  /** Opens or closes the selected row, whichever way its kind does. */
  toggleSelected(): void {
    const selected = this.#selection.selected();
    if (!selected) return;
    const { row, index } = selected;
    this.#core.list.current?.reveal(index);
    if (row.kind === "turn") this.toggleFold(row.turn);
    else if (row.kind === "run") this.toggleRun(row.run);
    else this.toggleOpen(row.key);
  }

  toggleFold(turn: number): void {
    const { address } = this.#core.options;
    const turns = parseFold(address.get().fold ?? "");
    if (!turns.delete(turn)) turns.add(turn);
    address.set({ fold: formatFold(turns) });
  }

  /** Opens or closes a run of calls, whose row stays in place and is selected. */
  toggleRun(run: string): void {
    this.#place.holdRun(`${run}.run`);
    const { address } = this.#core.options;
    address.set({ runs: toggledRun(address.get().runs, run) });
  }

  /** `fork`: the row that offers the branch, which stays in place and is selected. */
  switchBranch(branch: BranchId, fork?: Pick<Row, "key">): void {
    if (fork) this.#place.holdFork(fork.key);
    this.#core.options.address.set({ branch, fold: null });
  }
}
