import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { Button } from "@/components/ui/button";
import { ApiError } from "@/lib/client/connection/api-error";
import { isForInputMethod } from "@/lib/client/key-events";
import { MAX_BODY } from "@/lib/wire/annotations";
import { useUnsent } from "./unsent-comments";

const EMPTY = { text: "", first: "" };

/** A field for a text. The text stays until it is sent or given up, whatever arrives meanwhile. */
export function Composer({
  field,
  label,
  send,
  onSend,
}: {
  /** Its key in `UnsentComments`. */
  field: string;
  label: string;
  send: string;
  /** Returns the reason why the text was not accepted. Throws `ApiError`. */
  onSend: (text: string) => Promise<string | null>;
}) {
  const unsent = useUnsent();
  const { text, first } = useStore(unsent.store, ({ texts }) => texts.get(field)) ?? EMPTY;
  const latest = useStore(unsent.store, (state) => (state.latest?.field === field ? state.latest : null));
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const field = area.current;
    if (!latest || !field || field === document.activeElement) return;
    field.focus();
    // Browsers begin before the text: what one writes on goes behind it.
    field.setSelectionRange(field.value.length, field.value.length);
  }, [latest]);
  const submit = async () => {
    if (text.trim() === "" || sending) return;
    setSending(true);
    const kept = await onSend(text.trim()).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return error.words;
    });
    if (kept === null) return unsent.end(field);
    setProblem(kept);
    setSending(false);
  };
  return (
    <form
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        dir="auto"
        ref={area}
        aria-label={label}
        rows={3}
        maxLength={MAX_BODY.comment}
        value={text}
        // Text typed now would be lost with the field when that has been sent.
        readOnly={sending}
        onChange={({ target }) => unsent.write(field, target.value)}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return;
          if (event.key === "Escape") {
            event.stopPropagation();
            if (text.trim() === first.trim()) unsent.end(field);
          }
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void submit();
        }}
        className="w-full resize-y rounded-2 border border-line-3 bg-bg px-2 py-1 text-13 focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-accent"
      />
      {problem && (
        <p role="alert" className="text-err">
          {problem}
        </p>
      )}
      <div className="flex items-center gap-1">
        <span className="flex-1" />
        <Button kind="quiet" onClick={() => unsent.end(field)}>
          Cancel
        </Button>
        <Button type="submit" kind="primary" disabled={text.trim() === "" || sending}>
          {send}
        </Button>
      </div>
    </form>
  );
}
