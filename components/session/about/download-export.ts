import { readApiError } from "@/lib/client/api-error";
import { currentToken } from "@/lib/client/token";
import type { SessionId } from "@/lib/wire/ids";

export type ExportFormat = "md" | "html" | "json" | "messages" | "jsonl";

/**
 * Downloads a session. The browser's own download carries no token, so it is let in by a ticket that
 * is good once, for this address, for a minute. Throws `ApiError`.
 */
export async function downloadExport(id: SessionId, format: ExportFormat): Promise<void> {
  const path = `/api/sessions/${encodeURIComponent(id)}/export?format=${format}`;
  const response = await fetch("/api/tickets", {
    method: "POST",
    headers: { Authorization: `Bearer ${currentToken() ?? ""}`, "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
  });
  if (!response.ok) throw await readApiError(response);
  const { ticket } = (await response.json()) as { ticket: string };
  window.location.assign(`${path}&ticket=${ticket}`);
}
