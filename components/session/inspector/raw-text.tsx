import { AnsiText } from "@/components/content/ansi/ansi-text";
import { CopyButton } from "@/components/ui/copy-button";
import { api } from "@/lib/client/api";
import { formatBytes } from "@/lib/format/format-bytes";
import { formatCount } from "@/lib/format/format-count";
import type { SessionId } from "@/lib/wire/ids";
import type { RecordDetail } from "@/lib/wire/record";

/** More in one text node makes selecting and scrolling slow; the whole line can be copied. */
const SHOWN_CHARACTERS = 100_000;

/** The record's line as it is on disk. */
export function RawText({ sessionId, record }: { sessionId: SessionId; record: RecordDetail }) {
  const { raw, at } = record;
  const shown = raw.text.slice(0, SHOWN_CHARACTERS);
  return (
    <>
      <div className="flex h-6 items-center gap-2 border-b border-line px-3 text-11 text-fg-2 tabular-nums">
        <span className="flex-1">
          line {formatCount(at.line)}, {formatBytes(at.length)}
          {shown.length < raw.length && `, the first ${formatCount(shown.length)} characters`}
        </span>
        <CopyButton text={() => api.rawRecord(sessionId, record.recordId)} label="Copy the whole line" />
      </div>
      <pre className="px-3 py-2 font-mono text-11 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <AnsiText text={shown} />
      </pre>
    </>
  );
}
