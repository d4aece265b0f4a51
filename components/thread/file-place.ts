import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { useIsGuest } from "@/lib/client/connection/token";
import { copyAwaited } from "@/lib/client/copy-text";
import { type EditorPlace, editorUrl, placeOfCall } from "@/lib/client/editor-link";
import { usePreferences } from "@/lib/client/preferences";
import type { SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** The reader's editor, as the template of its links; empty for none, and for a guest, who has not the files. */
export function useEditor(): string {
  const { editor } = usePreferences();
  return useIsGuest() ? "" : editor;
}

const NO_FILE = "Select a row that reads or changes a file first";

/** Copies `path:line` of what a row reads or changes. `line`: the one that is pointed at. */
export async function copyFilePlace(sessionId: SessionId, row: Row | null, line?: number): Promise<void> {
  const reading = filePlace(sessionId, row, line).then((place) => place && `${place.path}:${place.line}`);
  const copied = await copyAwaited(reading);
  if (copied === null) return toast(NO_FILE);
  const done = `Copied ${await reading}`;
  toast(copied ? done : "The browser does not allow copying", copied ? "plain" : "err");
}

/** Opens what a row reads or changes in the reader's editor, by the template of its links. */
export async function openInEditor(
  sessionId: SessionId,
  row: Row | null,
  template: string,
  line?: number,
): Promise<void> {
  const place = await filePlace(sessionId, row, line);
  if (!place) return toast(NO_FILE);
  const url = editorUrl(template, place);
  if (url === null) return toast("Choose an editor in Settings first");
  // A link, so that the browser asks whether it may leave for another program; the page stays.
  const link = document.createElement("a");
  link.href = url;
  link.rel = "noreferrer";
  link.click();
  toast(`Opening ${place.path}:${place.line}`);
}

/** The place of the file that a row is about; `null` for a row about none. */
async function filePlace(sessionId: SessionId, row: Row | null, line?: number): Promise<EditorPlace | null> {
  if (row?.kind !== "tool") return null;
  try {
    const place = placeOfCall(await api.call(sessionId, row.recordId, row.block));
    return place && { ...place, line: line ?? place.line };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(error.words, "err");
    return null;
  }
}
