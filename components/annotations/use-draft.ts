import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { basePath } from "@/lib/client/address/base-path";
import { readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";

/**
 * What a form says. Closed in any way but Save and Cancel (Escape, Back, a click beside it), changes are not lost: a toast
 * says so, and its Undo opens the form again with them. Nor does a reload lose them: the tab keeps what is changed while
 * the form is open.
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
  const [draft, setDraft] = useState<Draft>(() => ({ ...first, ...readChanged(about, first) }));
  const latest = useRef({ draft, openAgain, isMeant: false });
  useLayoutEffect(() => {
    latest.current.draft = draft;
    latest.current.openAgain = openAgain;
  });
  useEffect(() => writeChanged(about, changedIn(draft, first)), [about, draft, first]);
  useEffect(() => {
    const state = latest.current;
    return () => {
      writeChanged(about, {});
      const changed = changedIn(state.draft, first);
      if (state.isMeant || Object.keys(changed).length === 0) return;
      toast("Closed without saving what you changed", "plain", () => {
        writeChanged(about, changed);
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

const keyOf = (about: string) => `backscroll.draft${basePath()} ${about}`;

/** Keeps with the tab what is changed in a form; nothing where nothing is. */
function writeChanged(about: string, changed: object): void {
  writeStored(keyOf(about), Object.keys(changed).length === 0 ? null : JSON.stringify(changed), "tab");
}

/** What the tab keeps of a form, as far as it has that form's fields. */
function readChanged<Draft extends object>(about: string, first: Draft): Partial<Draft> {
  const kept = Object.entries(fieldsOf(parseJson(readStored(keyOf(about), "tab"))));
  const shapes = new Map<string, unknown>(Object.entries(first));
  const fitting = kept.filter(([name, value]) => isOfShape(value, shapes.get(name)));
  return Object.fromEntries(fitting) as Partial<Draft>;
}

/** Fields are texts, choices and lists of texts. */
function isOfShape(value: unknown, first: unknown): boolean {
  if (Array.isArray(first)) return Array.isArray(value) && value.every((one) => typeof one === "string");
  return typeof value === typeof first && (typeof value === "string" || typeof value === "boolean");
}
