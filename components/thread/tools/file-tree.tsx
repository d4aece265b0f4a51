import { CodeLine } from "@/components/content/code/code-line";
import { ShowMore } from "@/components/content/code/show-more";
import { useSteps } from "@/components/content/code/use-steps";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { fileGroups } from "./file-groups";
import { TreeGroup } from "./tree-line";
import type { MarkText } from "./use-pattern-marks";

/** Files by folder, or as a plain list, with what was searched for marked in their names. */
export function FileTree({
  files,
  root,
  marks,
  flat,
}: {
  files: readonly string[];
  root: string | null;
  marks: MarkText;
  flat: boolean;
}) {
  const steps = useSteps(files.length, 200);
  const shown = files.slice(0, steps.shown).map((file) => shortenPath(file, root));
  const groups = flat ? [] : fileGroups(shown);
  return (
    <>
      <div className="py-1">
        {flat || groups.length === 1
          ? shown.map((file, index) => (
              <div key={index} className="truncate px-3 font-mono text-code leading-[22px]" title={file}>
                <FileName path={file} marks={marks} />
              </div>
            ))
          : groups.map(({ folder, names }) => (
              <TreeGroup key={folder} label={<VisibleText text={folder || "."} />} count={names.length}>
                {names.map(({ name, path }) => (
                  <div
                    key={path}
                    className="truncate pr-3 pl-8 font-mono text-code leading-[22px]"
                    title={path}
                  >
                    <FileName path={name} marks={marks} />
                  </div>
                ))}
              </TreeGroup>
            ))}
      </div>
      <ShowMore steps={steps} unit="files" />
    </>
  );
}

/** The folder quiet, the name marked. */
function FileName({ path, marks }: { path: string; marks: MarkText }) {
  const cut = path.lastIndexOf("/") + 1;
  const name = path.slice(cut);
  return (
    <>
      {cut > 0 && (
        <span className="text-fg-2">
          <VisibleText text={path.slice(0, cut)} />
        </span>
      )}
      <CodeLine text={name} marks={marks(name)} markClass="bg-hit" />
    </>
  );
}
