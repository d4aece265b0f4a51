import Link from "next/link";
import { useExtras } from "@/lib/client/use-extras";
import { formatBytes } from "@/lib/format/format-bytes";
import type { ExtraKind } from "@/lib/wire/extras";
import type { SessionId } from "@/lib/wire/ids";
import { Note } from "./note";

const WORDS: Record<ExtraKind, string> = {
  plan: "Plan",
  todos: "To-do list",
  task: "Task",
  memory: "Memory",
  history: "Typed",
  "file-history": "File before",
};

/** Plans, lists, memory and earlier files that the client keeps for a session in its config folder. */
export function ExtraList({ id }: { id: SessionId }) {
  const { data, error } = useExtras(id);
  if (error) return <Note>{error.message}</Note>;
  if (!data) return <Note>Looking…</Note>;
  if (data.extras.length === 0) return <Note>The client keeps nothing else for it.</Note>;
  return (
    <ul>
      {data.extras.map((extra) => (
        <li key={extra.id} className="flex h-7 items-center gap-2 px-4 text-12">
          <span className="w-24 flex-none text-fg-2">{WORDS[extra.kind]}</span>
          <Link
            prefetch={false}
            className="min-w-0 flex-1 truncate font-mono text-accent hover:underline"
            href={`/doctor?session=${encodeURIComponent(id)}&extra=${encodeURIComponent(extra.id)}`}
          >
            {extra.name}
          </Link>
          <span className="flex-none text-fg-3 tabular-nums">{formatBytes(extra.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}
