import { createRoot } from "react-dom/client";
import { makeWorkersWith } from "@/components/content/code/highlight";
import { answerWith } from "@/lib/client/connection/send";
import { stopSecondsAt } from "@/lib/client/use-now";
import { answerFrom } from "./answer";
import { ExportedFile } from "./exported-file";
import { ExportedPage } from "./exported-page";

/*
 * The script of an exported HTML file, at its end: the session's page without a server. `bin/tasks/exported-page.mjs`
 * builds it, with `stand-ins` in the place of what needs an address, a history or other pages.
 */

async function start(): Promise<void> {
  const file = new ExportedFile(document);
  answerWith(answerFrom(file));
  if (file.session.lastActiveAtMs !== null) stopSecondsAt(file.session.lastActiveAtMs);
  const highlighter = new Blob([await file.highlighter()], { type: "text/javascript" });
  makeWorkersWith(() => new Worker(URL.createObjectURL(highlighter)));
  // The version without scripts has another style.
  document.getElementById("page-style")?.removeAttribute("media");
  const root = document.getElementById("page");
  if (!root) throw new Error("The file has no place for its page.");
  root.className = "h-full";
  createRoot(root).render(<ExportedPage file={file} />);
}

void start();
