import type { RecordId } from "@/lib/wire/ids";

/** A pane beside the thread. The address lists them as `panes=record:<id>,context:<id>`. */
export type Pane = { kind: "record" | "context"; id: RecordId };

const KINDS: readonly string[] = ["record", "context"] satisfies Pane["kind"][];

/** Reads the address's `panes`; kinds that this page does not know are left out. */
export function parsePanes(text: string | null): Pane[] {
  return (text ?? "").split(",").flatMap((one) => {
    const colon = one.indexOf(":");
    const kind = one.slice(0, Math.max(0, colon));
    const id = one.slice(colon + 1);
    return KINDS.includes(kind) && id ? [{ kind, id } as Pane] : [];
  });
}

/** The inverse; `null` for no pane, so that the address loses the parameter. */
export function formatPanes(panes: readonly Pane[]): string | null {
  return panes.map(({ kind, id }) => `${kind}:${id}`).join(",") || null;
}

/** The record that the pane of this kind is about, `null` while it is closed. */
export function paneOf(panes: string | null, kind: Pane["kind"]): RecordId | null {
  return parsePanes(panes).find((pane) => pane.kind === kind)?.id ?? null;
}
