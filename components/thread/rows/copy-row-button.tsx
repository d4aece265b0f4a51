import { clsx } from "clsx";
import { useThreadActions } from "@/components/content/row-actions";
import { readRowText } from "@/components/thread/row-text";
import { CopyButton } from "@/components/ui/button";
import { type Row, rowKindFacts } from "@/lib/wire/rows";

/** Copies all of a row’s text as it is pasted elsewhere, with a click; `mod+c` does the same for the selected row. */
export function CopyRowButton({ row, className }: { row: Row; className?: string }) {
  const { sessionId } = useThreadActions();
  return (
    <CopyButton
      label={`Copy ${rowKindFacts(row.kind).name.toLowerCase()}`}
      kind="quiet"
      className={clsx("h-5 print:hidden", className)}
      text={async () => (await readRowText(sessionId, row)) ?? ""}
    />
  );
}
