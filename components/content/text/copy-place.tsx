import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/client/copy-text";

/** A line's number; a click copies `path:line`, as editors and compilers write it. */
export function CopyPlace({ path, line }: { path: string | null; line: number }) {
  if (path === null) return line;
  const place = `${path}:${line}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Copy ${place}`}
      className="hover:text-accent hover:underline"
      onClick={async () => {
        const copied = await copyText(place);
        toast(copied ? `Copied ${place}` : "The browser does not allow copying", copied ? "plain" : "err");
      }}
    >
      {line}
    </button>
  );
}
