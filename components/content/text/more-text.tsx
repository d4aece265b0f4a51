import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import { formatCount } from "@/lib/format/format-count";
import type { CutText } from "@/lib/wire/row-base";
import type { Row } from "@/lib/wire/rows";
import { findWholeText } from "./find-whole-text";

type TextProps = { row: Row; text: CutText; children: (text: string) => ReactNode };

/** A text that the server may have cut, and the way to the rest of it, which is read from the record. */
export function MoreText(props: TextProps) {
  return props.text.cut ? <CutTextView {...props} /> : props.children(props.text.text);
}

function CutTextView({ row, text, children }: TextProps) {
  const { sessionId } = useThreadActions();
  const [asked, setAsked] = useState(false);
  const whole = useQuery({
    queryKey: ["whole-text", sessionId, row.recordId, row.block],
    queryFn: async ({ signal }) => {
      const { json } = await api.record(sessionId, row.recordId, { signal });
      return findWholeText(json, text);
    },
    enabled: asked,
    gcTime: 30_000,
  });
  const left = text.length - text.text.length;
  return (
    <>
      {children(whole.data ?? text.text)}
      {!whole.data && (
        <button
          type="button"
          className="mt-1 block text-12 text-accent hover:underline disabled:text-fg-3"
          disabled={whole.isFetching}
          onClick={() => (asked ? void whole.refetch() : setAsked(true))}
        >
          {whole.isFetching
            ? "Loading the rest…"
            : whole.isError || whole.data === null
              ? "The rest could not be read; open the inspector for the raw record"
              : `Show ${formatCount(left)} more characters`}
        </button>
      )}
    </>
  );
}
