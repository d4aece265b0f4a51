import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { toast } from "@/components/ui/toast";

/** What had been changed in forms that were closed without saving, by what they are about, until Undo opens them again. */
const unsaved = new Map<string, object>();

/**
 * What a form says. Closed in any way but Save and Cancel (Escape, Back, a click beside it), changes are not lost: a toast
 * says so, and its Undo opens the form again with them.
 * @param about names what the form is about, the same each time
 * @param there what is there when it opens: of a form that is opened again all that was not changed in it is of that
 * @returns `close`: to be called before the form is closed by who means to
 */
export function useDraft<Draft extends object>(
  about: string,
  there: Draft,
  openAgain: () => void,
): { draft: Draft; change: (part: Partial<Draft>) => void; close: () => void } {
  const [first] = useState(there);
  const [draft, setDraft] = useState<Draft>({ ...first, ...unsaved.get(about) });
  const latest = useRef({ draft, openAgain, isMeant: false });
  useLayoutEffect(() => {
    latest.current.draft = draft;
    latest.current.openAgain = openAgain;
  });
  useEffect(() => {
    unsaved.delete(about);
    const state = latest.current;
    return () => {
      const changed = changedIn(state.draft, first);
      if (state.isMeant || Object.keys(changed).length === 0) return;
      toast("Closed without saving what you changed", "plain", () => {
        unsaved.set(about, changed);
        state.openAgain();
      });
    };
  }, [about, first]);
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    close: () => {
      latest.current.isMeant = true;
    },
  };
}

/** The fields that say something else than at first. */
function changedIn<Draft extends object>(draft: Draft, first: Draft): Partial<Draft> {
  const names = Object.keys(draft) as (keyof Draft)[];
  const changed = names.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(first[name]));
  return Object.fromEntries(changed.map((name) => [name, draft[name]])) as Partial<Draft>;
}
