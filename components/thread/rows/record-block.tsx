import { useQuery } from "@tanstack/react-query";
import { JsonTree } from "@/components/content/json-tree";
import { useThreadActions } from "@/components/content/row-actions";
import { DetailState } from "@/components/ui/detail-state";
import { api } from "@/lib/client/api";
import { formatCount } from "@/lib/format/format-count";
import type { Row } from "@/lib/wire/rows";
import { OpenedBlock } from "../opened-block";

/** A record as it is in the log, below its row. */
export function RecordBlock({ row }: { row: Row }) {
  const { sessionId } = useThreadActions();
  const record = useQuery({
    queryKey: ["record", sessionId, row.recordId],
    queryFn: ({ signal }) => api.record(sessionId, row.recordId, { signal }),
    gcTime: 30_000,
    // Sharing would copy the record key by key, and lose one called `__proto__`.
    structuralSharing: false,
  });
  if (!record.data) return <DetailState query={record} />;
  const { at, type, json, raw } = record.data;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <span className="font-mono">{type}</span>
          <span>
            line {formatCount(at.line)} · {formatCount(at.length)} B
          </span>
        </>
      }
      copy={{ label: "Copy the record", text: () => api.rawRecord(sessionId, row.recordId) }}
    >
      <div className="px-3 py-1.5">{json === null ? raw.text : <JsonTree value={json} />}</div>
    </OpenedBlock>
  );
}
