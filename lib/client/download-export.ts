import { EXPORT_FORMATS, WITH_COMMENTS, WITH_LOGGED_PATHS } from "@/lib/wire/export-formats.mjs";
import { afterWrites } from "./address/address-writes";
import { withBasePath } from "./address/base-path";
import { api } from "./api";
import { checkAnswer, getResponse } from "./connection/send";
import { download } from "./save-file";

/**
 * Downloads an export by its path and query. The browser's own download can't send the token, so it carries a ticket
 * that is valid once, for exactly this address, for a minute. Throws `ApiError`.
 */
export async function downloadExport(path: string): Promise<void> {
  // Of an answer that is no file the browser says that the download failed: why there is none is told on the page.
  await checkAnswer(path);
  const { ticket } = await api.ticket({ path });
  // Behind the way back from the dialog, which would end it.
  afterWrites(() => download(withBasePath(`${path}&ticket=${ticket}`)));
}

/** More than this is nothing to paste, and a clipboard may not take it. */
const MAX_COPIED_CHARACTERS = 5_000_000;

/**
 * An export as text, to be copied, by its path and query. Throws `ApiError`, and an error with words for the reader where
 * it is too long.
 */
export async function readExport(path: string): Promise<string> {
  const { body } = await getResponse(path);
  let text = "";
  for await (const part of textsOf(body)) {
    text += part;
    if (text.length > MAX_COPIED_CHARACTERS) throw new Error("This is too long to be copied: download it");
  }
  return text;
}

/** The parts of an answer as they come; whoever stops taking them ends it. */
async function* textsOf(body: Response["body"]): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** The formats that may hold comments: `HTML, Markdown and JSON`. */
export function formatCommented(): string {
  return WITH_COMMENTS.map((format) => EXPORT_FORMATS[format].name)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ");
}

/** The formats that keep every path as it was logged: `Clone and Original log`. */
export function formatLoggedPaths(): string {
  return WITH_LOGGED_PATHS.map((format) => EXPORT_FORMATS[format].name).join(" and ");
}

/** Values of a query as the server's tickets take them: the ids and lists of an export need no escapes. */
export function exportQuery(values: Readonly<Record<string, string | number | null>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
