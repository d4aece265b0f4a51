import type { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import { toast } from "@/components/ui/toast";
import {
  type Pane,
  paneKey,
  paneOf,
  parsePanes,
  withoutPanes,
  withPane,
} from "@/lib/client/address/session-url";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { Address } from "../session-address";

/** The panes that the address lists beside a session's thread. */
export class SessionPanes {
  readonly #atHand: ThreadAtHand;
  readonly #address: Address;

  constructor(atHand: ThreadAtHand, address: Address) {
    this.#atHand = atHand;
    this.#address = address;
  }

  show = (pane: Pane): void => this.#address.set({ panes: withPane(this.#address.get().panes, pane) });

  close = (pane: Pane): void =>
    this.#address.set({
      panes: withoutPanes(this.#address.get().panes, (one) => paneKey(one) === paneKey(pane)),
      ...(pane.kind === "record" ? { record: null } : {}),
    });

  closeLast = (): void => {
    const last = parsePanes(this.#address.get().panes).at(-1);
    if (last) this.close(last);
  };

  hasAny = (): boolean => parsePanes(this.#address.get().panes).length > 0;

  /** Shows a record, as the one before it is shown, else by its facts. */
  inspect = (id: RecordId): void => {
    const { panes, record } = this.#address.get();
    this.#address.set({
      panes: withPane(panes, { kind: "record", id }),
      record: paneOf(panes, "record") ? record : null,
    });
  };

  showContext = (id: RecordId): void => this.show({ kind: "context", id });

  inspected = (): RecordId | null => paneOf(this.#address.get().panes, "record");

  closeInspector = (): void => {
    const id = this.inspected();
    if (id) this.close({ kind: "record", id });
  };

  /** Shows the selected row's record, or that of the first row in view; closes the pane where it is open. */
  toggleInspector = (): void => {
    if (this.inspected()) return this.closeInspector();
    const row = this.#atHand.get().rowAtHand();
    if (row) this.inspect(row.recordId);
  };

  /** Shows the context of the selected row in its pane; asked again for the same row, the pane goes. */
  toggleContext = (): void => {
    const contextOf = paneOf(this.#address.get().panes, "context");
    const row = this.#atHand.get().selected()?.row;
    if (row && row.recordId !== contextOf) this.show({ kind: "context", id: row.recordId });
    else if (contextOf) this.close({ kind: "context", id: contextOf });
    else toast("Select a row first (j and k move)");
  };

  toggleFiles = (): void => this.#toggle({ kind: "files", id: "" });

  toggleComments = (): void => this.#toggle({ kind: "comments", id: "" });

  #toggle(pane: Pane): void {
    if (parsePanes(this.#address.get().panes).some(({ kind }) => kind === pane.kind)) this.close(pane);
    else this.show(pane);
  }

  openAgent = (id: AgentId): void => this.show({ kind: "agent", id });

  openSelectedAgent = (): void => {
    const row = this.#atHand.get().selected()?.row;
    const agentId = row ? agentOf(row) : null;
    if (agentId) this.openAgent(agentId);
    else toast("Select an agent’s row first");
  };
}

function agentOf(row: Row): AgentId | null {
  if (row.kind === "agent-return") return row.agentId;
  if (row.kind === "event") return row.agentId ?? null;
  return row.kind === "tool" ? (row.agent?.agentId ?? null) : null;
}
