import type { AgentId, RecordId } from "@/lib/wire/ids";

/** A pane beside the thread. The address lists them as `panes=agent:<id>,record:<id>,context:<id>,files`. */
export type Pane =
  | { kind: "record" | "context"; id: RecordId }
  | { kind: "agent"; id: AgentId }
  | { kind: "files"; id: "" };

const KINDS: readonly string[] = ["record", "context", "agent"] satisfies Pane["kind"][];

/** Reads the address's `panes`; kinds that this page does not know are left out. */
export function parsePanes(text: string | null): Pane[] {
  return (text ?? "").split(",").flatMap((one) => {
    if (one === "files") return [{ kind: "files", id: "" } as const];
    const colon = one.indexOf(":");
    const kind = one.slice(0, Math.max(0, colon));
    const id = one.slice(colon + 1);
    return KINDS.includes(kind) && id ? [{ kind, id } as Pane] : [];
  });
}

/** The inverse; `null` for no pane, so that the address loses the parameter. */
export function formatPanes(panes: readonly Pane[]): string | null {
  return panes.map(paneKey).join(",") || null;
}

/** A pane as the address has it. */
export function paneKey({ kind, id }: Pane): string {
  return kind === "files" ? kind : `${kind}:${id}`;
}

/** The record that the pane of this kind is about, `null` while it is closed. */
export function paneOf(panes: string | null, kind: "record" | "context"): RecordId | null {
  const pane = parsePanes(panes).find((one) => one.kind === kind);
  return pane?.kind === "record" || pane?.kind === "context" ? pane.id : null;
}

/** The panes with this one among them: agents stand side by side, of the others there is one of each kind. */
export function withPane(panes: string | null, pane: Pane): string | null {
  const kept = parsePanes(panes).filter((one) =>
    pane.kind === "agent" ? one.id !== pane.id : one.kind !== pane.kind,
  );
  return formatPanes([...kept, pane]);
}

/** The panes without those that `leaves` names. */
export function withoutPanes(panes: string | null, leaves: (pane: Pane) => boolean): string | null {
  return formatPanes(parsePanes(panes).filter((pane) => !leaves(pane)));
}
