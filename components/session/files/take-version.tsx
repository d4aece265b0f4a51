import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useSessionPage } from "@/components/session/session-store";
import { CopyButton, IconButton } from "@/components/ui/button";
import { toast, toastFailure } from "@/components/ui/toast";
import { saveFile } from "@/lib/client/save-file";
import { splitPath } from "@/lib/format/text";
import type { FileAt } from "@/lib/wire/files";
import { fileQuery, formatMissing } from "./file-versions";
import { SaveFiles } from "./save-files";
import type { Walked } from "./version-walk";

/**
 * Takes a file out of the logs, as it was at the version that is shown: to the clipboard, or as a download. One of which
 * lines are in no log is named incomplete, and the reader is told. A phone has no room for it.
 */
export function TakeVersion({ path, walked }: { path: string; walked: Walked }) {
  const { sessionId } = useSessionPage();
  const client = useQueryClient();
  const read = () => {
    const version = walked.versions[walked.walk.at()]?.id ?? null;
    return client.fetchQuery(fileQuery(sessionId, path, version));
  };
  const copy = async () => {
    const file = await read();
    const text = textOf(file);
    sayMissing(file, "Copied");
    return text;
  };
  const save = async () => {
    try {
      const file = await read();
      saveFile(fileName(file), textOf(file), "application/octet-stream");
      sayMissing(file, "Saved");
    } catch (error) {
      toastFailure(error, "Couldn’t read the file");
    }
  };
  return (
    <>
      <CopyButton text={copy} label="Copy this version" className="max-sm:hidden" />
      <IconButton
        icon={Download}
        small
        label="Save this version"
        className="max-sm:hidden"
        onClick={() => void save()}
      />
      <SaveFiles
        at={() => walked.versions[walked.walk.at()]?.id ?? null}
        label="Save all files as they were then"
        className="max-sm:hidden"
      />
    </>
  );
}

/** Throws where there is none, with words for the reader. */
function textOf({ content, exists }: FileAt): string {
  if (content !== null) return content;
  throw new Error(
    exists === false ? "The file was not there any more" : "No log holds the text of this version",
  );
}

function sayMissing({ gaps }: FileAt, done: string): void {
  const missing = formatMissing(gaps);
  if (missing !== null) toast(`${done} without what no log holds: ${missing}`, "err");
}

/** `cart.ts`, and `cart.incomplete.ts` where lines are missing. */
function fileName({ path, gaps }: Pick<FileAt, "path" | "gaps">): string {
  const { name } = splitPath(path);
  if (gaps.length === 0) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}.incomplete${name.slice(dot)}` : `${name}.incomplete`;
}
