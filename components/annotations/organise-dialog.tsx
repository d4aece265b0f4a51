import { X } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { CheckField, Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { isForInputMethod } from "@/lib/client/key-events";
import { formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type Annotation, MAX_BODY } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import { mark, saveText } from "./organise";
import { Labelled, NoteField, OrganisedDialog, OrganisedForm } from "./organised-form";
import { useDraft } from "./use-draft";

/**
 * The marks of one session, or of several at once: tags, a star, whether the library shows them; for a single one also
 * its name and a note.
 */
export function OrganiseDialog({
  sessions,
  onOpenChange,
}: {
  sessions: readonly SessionId[];
  onOpenChange: (open: boolean) => void;
}) {
  const one = sessions.length === 1 ? (sessions[0] ?? null) : null;
  return (
    <OrganisedDialog
      title={one ? "Name, tags and note" : `${formatPlural(sessions.length, "session")}: tags and more`}
      queryKey={["organised", sessions]}
      rows={5}
      onOpenChange={onOpenChange}
    >
      {(there) => (
        <OrganiseForm
          key={sessions.join()}
          sessions={sessions}
          annotations={there}
          onDone={() => onOpenChange(false)}
        />
      )}
    </OrganisedDialog>
  );
}

function OrganiseForm({
  sessions,
  annotations,
  onDone,
}: {
  sessions: readonly SessionId[];
  annotations: readonly Annotation[];
  onDone: () => void;
}) {
  // The state when the dialog was opened: only the reader's changes are saved, and changes from another window stay.
  const [all] = useState(annotations);
  const marked = useMemo(() => marksOf(all, sessions), [all, sessions]);
  const [note, setNoteAnnotation] = useState(marked.note);
  const there: Draft = {
    name: marked.name?.body ?? "",
    note: note?.body ?? "",
    star: marked.star,
    hidden: marked.hidden,
    tags: marked.tags,
    partly: marked.partly,
  };
  const openAgain = () => openPageDialog({ organise: [...sessions] });
  const { draft, change, close } = useDraft(sessions.join(), there, openAgain);
  const isOne = sessions.length === 1;
  return (
    <OrganisedForm
      noted={isOne ? { sessionId: sessions[0] as SessionId } : null}
      onNote={setNoteAnnotation}
      onSave={() => saveMarks(sessions, { ...marked, note }, draft)}
      onDone={() => {
        close();
        onDone();
      }}
    >
      {isOne && (
        <Labelled label="Name">
          <Field
            data-autofocus
            tall
            label="Name"
            placeholder="The title from the log"
            maxLength={MAX_BODY.name}
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Labelled>
      )}
      <TagsField
        tags={draft.tags}
        partly={draft.partly}
        known={[...countTags(all).keys()]}
        onChange={(tags) => change({ tags, partly: draft.partly.filter((tag) => !tags.includes(tag)) })}
        onForget={(tag) => change({ partly: draft.partly.filter((other) => other !== tag) })}
        isFirst={!isOne}
      />
      {isOne && <NoteField note={draft.note} onChange={(text) => change({ note: text })} />}
      <div className="flex flex-wrap gap-x-5 gap-y-1 text-12">
        <CheckField checked={draft.star} onChange={(star) => change({ star })}>
          Starred
        </CheckField>
        <CheckField checked={draft.hidden} onChange={(hidden) => change({ hidden })}>
          Hidden in the library
        </CheckField>
      </div>
    </OrganisedForm>
  );
}

/** What the form says of its sessions. `partly`: tags that only some of them have. */
type Draft = {
  name: string;
  note: string;
  star: boolean;
  hidden: boolean;
  tags: readonly string[];
  partly: readonly string[];
};

/** What sessions have: marks and tags that are on all of them, tags that are on some, and of a single one its texts. */
type Marks = Pick<Draft, "star" | "hidden" | "tags" | "partly"> & {
  name: Annotation | null;
  note: Annotation | null;
};

function marksOf(annotations: readonly Annotation[], sessions: readonly SessionId[]): Marks {
  const wanted = new Set<string | null>(sessions);
  const own = annotations.filter(({ target }) => wanted.has(target.sessionId));
  const areAllMarked = (kind: "star" | "hidden") =>
    sessionsOf(own.filter((one) => one.kind === kind)) === sessions.length;
  const counts = [...countTags(own)];
  return {
    name: own.find(({ kind }) => kind === "name") ?? null,
    note: own.find(({ kind }) => kind === "note") ?? null,
    star: areAllMarked("star"),
    hidden: areAllMarked("hidden"),
    tags: counts.filter(([, count]) => count === sessions.length).map(([tag]) => tag),
    partly: counts.filter(([, count]) => count !== sessions.length).map(([tag]) => tag),
  };
}

/** Saves what was changed, and nothing else: the sessions' tags that the draft still has partly stay as they are. */
async function saveMarks(sessions: readonly SessionId[], before: Marks, draft: Draft): Promise<void> {
  const places = sessions.map((sessionId) => ({ sessionId }));
  const [only] = places;
  if (draft.star !== before.star) await mark(places, "star", draft.star);
  for (const tag of draft.tags) if (!before.tags.includes(tag)) await mark(places, "tag", true, tag);
  for (const tag of [...before.tags, ...before.partly])
    if (!draft.tags.includes(tag) && !draft.partly.includes(tag)) await mark(places, "tag", false, tag);
  if (only && places.length === 1) {
    await saveText(only, "name", before.name, draft.name.trim());
    await saveText(only, "note", before.note, draft.note.trim());
  }
  if (draft.hidden !== before.hidden) await mark(places, "hidden", draft.hidden);
}

/** Tags with the number of sessions that have each, the most frequent first. */
function countTags(annotations: readonly Annotation[]): Map<string, number> {
  const sessions = new Map<string, Set<SessionId | null>>();
  for (const { kind, body, target } of annotations)
    if (kind === "tag") sessions.set(body, (sessions.get(body) ?? new Set()).add(target.sessionId));
  const counts = [...sessions].map(([tag, { size }]): [string, number] => [tag, size]);
  return new Map(counts.sort(([, a], [, b]) => b - a));
}

/** On how many sessions these are: two windows may have put the same on one. */
function sessionsOf(annotations: readonly Annotation[]): number {
  return new Set(annotations.map(({ target }) => target.sessionId)).size;
}

const OFFERED = 8;

function TagsField({
  tags,
  partly,
  known,
  onChange,
  onForget,
  isFirst,
}: {
  tags: readonly string[];
  /** Tags that only some of the sessions have: they stay as they are. */
  partly: readonly string[];
  known: readonly string[];
  onChange: (tags: readonly string[]) => void;
  onForget: (tag: string) => void;
  isFirst: boolean;
}) {
  const [typed, setTyped] = useState("");
  // What was offered when the field was left. It stays until the reader is back: whatever they press to leave it would
  // otherwise move away under the pointer.
  const [left, setLeft] = useState<readonly string[] | null>(null);
  const add = (text: string) => {
    const tag = text.trim().slice(0, MAX_BODY.tag);
    setTyped("");
    if (tag !== "" && !tags.some((one) => one.toLowerCase() === tag.toLowerCase())) onChange([...tags, tag]);
  };
  const addOffered = (tag: string) => {
    setLeft(null);
    add(tag);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isForInputMethod(event.nativeEvent)) return;
    const isWritten = typed.trim() !== "";
    if (event.key === "," || (event.key === "Enter" && isWritten)) {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "") onChange(tags.slice(0, -1));
  };
  const offered =
    left ??
    known
      .filter((tag) => !tags.includes(tag) && tag.toLowerCase().includes(typed.trim().toLowerCase()))
      .slice(0, OFFERED);
  return (
    <Labelled label="Tags">
      <div className="flex min-h-7 flex-wrap items-center gap-1 rounded-2 border border-line-3 px-1.5 py-0.5 max-sm:min-h-9 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
        {tags.map((tag) => (
          <TagChip key={tag} tag={tag} onRemove={() => onChange(tags.filter((one) => one !== tag))} />
        ))}
        {partly.map((tag) => (
          <TagChip key={tag} tag={tag} isPartly onRemove={() => onForget(tag)} />
        ))}
        <input
          aria-label="Add a tag"
          data-autofocus={isFirst ? "" : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={MAX_BODY.tag}
          placeholder={tags.length + partly.length === 0 ? "Type a tag, then Enter" : ""}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => setLeft(null)}
          onBlur={() => {
            setLeft(offered);
            add(typed);
          }}
          className="h-5 min-w-24 flex-1 bg-transparent text-12 outline-none focus-visible:outline-none"
        />
      </div>
      {offered.length > 0 && <OfferedTags tags={offered} onAdd={addOffered} />}
    </Labelled>
  );
}

/** Tags of other sessions, which a click adds. */
function OfferedTags({ tags, onAdd }: { tags: readonly string[]; onAdd: (tag: string) => void }) {
  return (
    <div className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={labelHidden(`Add the tag ${tag}`)}
          // Before the field loses the focus, which would add the typed text.
          onMouseDown={(event) => {
            event.preventDefault();
            onAdd(tag);
          }}
          onClick={({ detail }) => detail === 0 && onAdd(tag)}
          className="max-w-40 truncate rounded-1 border border-line-2 px-1.5 text-[11px]/[17px] text-fg-2 hover:bg-raised hover:text-fg"
        >
          {tag}
        </button>
      ))}
    </div>
  );
}

function TagChip({
  tag,
  isPartly = false,
  onRemove,
}: {
  tag: string;
  isPartly?: boolean;
  onRemove: () => void;
}) {
  return (
    <span
      title={isPartly ? "Some of them have it" : undefined}
      className={`inline-flex max-w-full items-center gap-1 rounded-1 pl-1.5 text-12 ${isPartly ? "border border-line-3 border-dashed text-fg-2" : "bg-raised"}`}
    >
      <span className="truncate">{tag}</span>
      <button
        type="button"
        aria-label={labelHidden(`Remove the tag ${tag}`)}
        onClick={onRemove}
        className="flex size-5 flex-none items-center justify-center text-fg-3 hover:text-fg"
      >
        <Icon of={X} small />
      </button>
    </span>
  );
}
