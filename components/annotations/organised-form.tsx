import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FailedState, SkeletonRows } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { type Annotation, MAX_BODY } from "@/lib/wire/annotations";
import { isAt, type MarkedPlace, ORGANISING } from "./organise";

/** A dialog for the marks of sessions or of a project: `children` draw the form. */
export function OrganisedDialog({
  title,
  queryKey,
  rows,
  onOpenChange,
  children,
}: {
  title: string;
  queryKey: readonly unknown[];
  /** Its height until that is known. */
  rows: number;
  onOpenChange: (open: boolean) => void;
  children: (there: readonly Annotation[]) => ReactNode;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ["annotations", ...queryKey],
    queryFn: async ({ signal }) => (await api.annotations(null, ORGANISING, { signal })).annotations,
    staleTime: 0,
    gcTime: 0,
    // Text that is being written is not replaced by what arrives meanwhile.
    refetchOnMount: false,
  });
  return (
    <Dialog title={title} open onOpenChange={onOpenChange} className="max-w-[480px]">
      {data ? (
        children(data)
      ) : error ? (
        <FailedState title="Couldn’t read what is there" error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows count={rows} label="Loading" />
      )}
    </Dialog>
  );
}

/** Another window has changed or removed the text that was to be replaced. */
const OVERTAKEN: ReadonlySet<string> = new Set(["annotation-changed", "annotation-removed"]);

/**
 * A form for the marks of sessions or of a project. If a note was changed in another window meanwhile nothing is
 * replaced: that note is shown beside the text written here, and saving again replaces it knowingly.
 */
export function OrganisedForm({
  noted,
  onNote,
  onSave,
  onDone,
  children,
}: {
  /** The subject of the note in the form, if there is one. */
  noted: MarkedPlace | null;
  /** The current note. */
  onNote: (note: Annotation | null) => void;
  /** Throws `ApiError`. */
  onSave: () => Promise<void>;
  onDone: () => void;
  children: ReactNode;
}) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The dialog was opened before the field existed; an on-screen keyboard would cover it.
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches)
      form.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, []);
  const submit = async () => {
    setSaving(true);
    try {
      await onSave();
      onDone();
    } catch (error) {
      setSaving(false);
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.words);
      if (!noted || !OVERTAKEN.has(error.code)) return;
      const other = await noteOf(noted);
      onNote(other);
      setProblem(
        other
          ? `The note was changed meanwhile in another window. It says: “${other.body}”. Saving again replaces that.`
          : "The note was removed meanwhile in another window. Saving again adds it again.",
      );
    } finally {
      for (const key of ["annotations", "search-sessions", "projects"])
        void client.invalidateQueries({ queryKey: [key] });
    }
  };
  return (
    <form
      ref={form}
      className="grid gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {problem !== null && (
        <p role="alert" className="text-12 [overflow-wrap:anywhere] text-err">
          {problem}
        </p>
      )}
      <div className="flex items-center gap-2 text-11 text-fg-3">
        <span className="flex-1">Kept by Backscroll, never in the logs</span>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" kind="primary" disabled={saving}>
          Save
        </Button>
      </div>
    </form>
  );
}

async function noteOf(place: MarkedPlace): Promise<Annotation | null> {
  const { annotations } = await api.annotations("sessionId" in place ? place.sessionId : null, ["note"]);
  return annotations.find(({ target }) => isAt(place, target)) ?? null;
}

/** A field with its label above it. */
export function Labelled({
  label,
  htmlFor,
  children,
}: {
  label: string;
  htmlFor?: string;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-1">
      <label htmlFor={htmlFor} className="text-11 text-fg-2">
        {label}
      </label>
      {children}
    </div>
  );
}

/** The field of a note. `isFirst`: the dialog begins in it. */
export function NoteField({
  note,
  onChange,
  isFirst = false,
}: {
  note: string;
  onChange: (note: string) => void;
  isFirst?: boolean;
}) {
  const id = useId();
  return (
    <Labelled label="Note" htmlFor={id}>
      <textarea
        dir="auto"
        id={id}
        rows={4}
        data-autofocus={isFirst ? "" : undefined}
        maxLength={MAX_BODY.note}
        value={note}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey))
            event.currentTarget.form?.requestSubmit();
        }}
        className="w-full resize-y rounded-2 border border-line-3 bg-bg px-2 py-1 text-12 focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-accent"
      />
    </Labelled>
  );
}
