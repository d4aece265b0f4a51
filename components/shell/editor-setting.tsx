import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { EDITORS, editorProblem, editorUrl } from "@/lib/client/editor-link";
import { setPreferences } from "@/lib/client/preferences";
import { SettingSection } from "./setting-section";

const EXAMPLE = { path: "/home/me/shop/src/cart.ts", line: 12 };

/** The editor that `E` opens files in: one of the known ones, or a link of one's own. It is kept only while it is valid. */
export function EditorSetting({ template }: { template: string }) {
  const [typed, setTyped] = useState(template);
  const [known, setKnown] = useState(template);
  const id = useId();
  if (known !== template) {
    // Reset, or changed in another tab.
    setKnown(template);
    setTyped(template);
  }
  const text = typed.trim();
  const problem = editorProblem(text);
  const choose = (next: string) => {
    setTyped(next);
    const link = next.trim();
    if (editorProblem(link) !== null) return;
    setKnown(link);
    setPreferences({ editor: link });
  };
  return (
    <SettingSection heading="Editor">
      <div className="grid grid-cols-[168px_minmax(0,1fr)] items-baseline gap-x-4 px-4 py-1.5 max-sm:grid-cols-1 max-sm:gap-y-1">
        <span>Open files in</span>
        <span className="flex min-w-0 flex-col gap-1.5">
          <span className="flex flex-wrap gap-1" role="group" aria-label="Known editors">
            <Button pressed={text === ""} onClick={() => choose("")}>
              None
            </Button>
            {EDITORS.map((editor) => (
              <Button
                key={editor.name}
                pressed={text === editor.template}
                onClick={() => choose(editor.template)}
              >
                {editor.name}
              </Button>
            ))}
          </span>
          <Field
            label="Link that opens a file"
            placeholder="vscode://file{path}:{line}"
            mono
            value={typed}
            aria-invalid={problem !== null}
            aria-describedby={id}
            onChange={(event) => choose(event.target.value)}
          />
          <span id={id} className={problem ? "text-12 text-err" : "truncate text-12 text-fg-3"}>
            {problem ?? editorUrl(text, EXAMPLE) ?? "Off. With an editor, E opens the selected row’s file."}
          </span>
        </span>
      </div>
    </SettingSection>
  );
}
