import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The page of an exported file, made from the components of the session's page (`components/exported`). */
export type ExportedPageCode = {
  script: string;
  /** As a policy names the script. */
  scriptHash: string;
  style: string;
  /** The source of the worker that highlights code, as base64 of gzip. */
  highlighter: string;
};

/** Written by the build beside the server, which runs in its own folder. */
const FILE = "exported-page.json";

let read: ExportedPageCode | null = null;

/** The page as it was built; `null` where nothing is built, as in development: a file is then readable without it. */
export function readExportedPage(): ExportedPageCode | null {
  if (read) return read;
  try {
    const page = JSON.parse(readFileSync(join(process.cwd(), FILE), "utf8")) as Omit<
      ExportedPageCode,
      "scriptHash"
    >;
    const hash = createHash("sha256").update(page.script).digest("base64");
    read = { ...page, scriptHash: `sha256-${hash}` };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
  }
  return read;
}
