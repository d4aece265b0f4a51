import { afterWrites } from "./address/address-writes";
import { withBasePath } from "./address/base-path";
import { api } from "./api";
import { checkAnswer } from "./connection/send";

/**
 * Downloads an export by its path and query. The browser's own download can't send the token, so it carries a ticket
 * that is valid once, for exactly this address, for a minute. Throws `ApiError`.
 */
export async function downloadExport(path: string): Promise<void> {
  // For an answer that is no file the browser would leave the page: why there is none is told there.
  await checkAnswer(path);
  const { ticket } = await api.ticket({ path });
  // Behind the way back from the dialog, which would end it.
  afterWrites(() => window.location.assign(withBasePath(`${path}&ticket=${ticket}`)));
}

/** Values of a query as the server's tickets take them: the ids and lists of an export need no escapes. */
export function exportQuery(values: Readonly<Record<string, string | number | null>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
