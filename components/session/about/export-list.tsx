import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { SessionId } from "@/lib/wire/ids";
import { downloadExport, type ExportFormat } from "./download-export";

const FORMATS: readonly [ExportFormat, string, string][] = [
  ["md", "Markdown", "prompts, answers, a line for each tool call"],
  ["html", "HTML", "one file that opens anywhere and loads nothing"],
  ["json", "JSON", "the session and its rows as the API gives them"],
  ["messages", "Messages", "what the model would be sent next"],
  ["jsonl", "Original log", "the main log, byte for byte"],
];

/** Downloads. Nothing is left out of them: what they hold is for whoever they are given to. */
export function ExportList({ id }: { id: SessionId }) {
  const download = (format: ExportFormat) =>
    downloadExport(id, format).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : "The download failed", "err"),
    );
  return (
    <ul>
      {FORMATS.map(([format, name, what]) => (
        <li key={format} className="flex h-8 items-center gap-2 px-4 text-12">
          <span className="w-24 flex-none">{name}</span>
          <span className="min-w-0 flex-1 truncate text-fg-2">{what}</span>
          <Button aria-label={`Download ${name}`} onClick={() => download(format)}>
            Download
          </Button>
        </li>
      ))}
      <li className="px-4 pb-2 text-11 text-fg-3">
        Secrets in a log are in its copies: read before you pass one on.
      </li>
    </ul>
  );
}
