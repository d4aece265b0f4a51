import { ChangedLines } from "@/components/content/text/changed-lines";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { fileGroups } from "@/components/thread/tools/file-groups";
import { TreeGroup } from "@/components/thread/tools/tree-line";
import type { FileChanges } from "./files-of-turn";

/** The changed files by folder; a click goes to one. */
export function ChangesTree({
  files,
  root,
  onGo,
}: {
  files: readonly FileChanges[];
  root: string | null;
  onGo: (index: number) => void;
}) {
  const places = new Map(files.map((file, index) => [shortenPath(file.path, root), { file, index }]));
  return (
    <nav
      aria-label="Changed files"
      className="min-h-0 overflow-y-auto border-r border-line-2 bg-panel py-1 max-md:hidden"
    >
      {fileGroups([...places.keys()]).map(({ folder, names }) => (
        <TreeGroup key={folder} label={<VisibleText text={folder || "."} />} count={names.length}>
          {names.map(({ name, path }) => {
            const place = places.get(path);
            return (
              <button
                key={path}
                type="button"
                title={path}
                onClick={() => place && onGo(place.index)}
                className="flex h-6 w-full items-center gap-2 pr-3 pl-8 text-left hover:bg-raised"
              >
                <span className="min-w-0 flex-1 truncate font-mono text-code">
                  <VisibleText text={name} />
                </span>
                <span className="text-11">
                  <ChangedLines added={place?.file.added ?? null} removed={place?.file.removed ?? null} />
                </span>
              </button>
            );
          })}
        </TreeGroup>
      ))}
    </nav>
  );
}
