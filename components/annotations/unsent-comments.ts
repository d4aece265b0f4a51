import { createContext, useContext } from "react";
import { createStore, useStore } from "zustand";
import { basePath } from "@/lib/client/address/base-path";
import { readStored, writeStored } from "@/lib/client/storage";
import { listField, parseJson, textField } from "@/lib/format/json-values";
import type { CommentDraft } from "./comment-draft";
import { newAnnotationId } from "./organise";

/** A comment that was begun, and the name of its field. */
export type BegunComment = CommentDraft & { id: string };

/**
 * The state of a field: `first` is its initial text, `revision` is that of the comment that it would replace. `id` is
 * that of the comment or the answer that it will be, however often it is sent.
 */
type Unsent = { text: string; first: string; revision: number | null; id: string };

type State = {
  /** New comments, the newest first. */
  begun: readonly BegunComment[];
  /** By the field: that of a new comment, or what `answerField` and `editField` say. */
  texts: ReadonlyMap<string, Unsent>;
  /** The field that was begun or written in last: it gets the focus when it is drawn. */
  latest: { field: string } | null;
};

/** The part that is stored with the tab: fields with text, and the new comments among them. */
type Kept = { begun: readonly BegunComment[]; texts: readonly [field: string, Unsent][] };

/** What a page that restores texts tells other tabs: the ids that these will be sent under. */
type Restored = { ids: string[] };

/**
 * Text in the pane of comments that has not been sent. It outlives the pane: whatever closes that, Back or a key,
 * discards no text. Nor do a reload and another page, as long as the tab is open.
 */
export class UnsentComments {
  readonly store = createStore<State>(() => ({ begun: [], texts: new Map(), latest: null }));
  readonly #key: string;

  constructor(sessionId: string) {
    this.#key = `backscroll.unsent${basePath()} ${sessionId}`;
  }

  /**
   * Restores what this tab has stored of an earlier page, and stores all changes from here on, until the returned
   * function is called.
   */
  keep = (): (() => void) => {
    const { begun, texts } = parseKept(readStored(this.#key, "tab"));
    if (texts.length > 0) this.store.setState({ begun, texts: new Map(texts), latest: null });
    const endWriting = this.store.subscribe(() => this.#write());
    const endSharing = this.#shareIds(texts.map(([, { id }]) => id));
    return () => {
      endSharing();
      endWriting();
    };
  };

  /**
   * A tab that was duplicated has the same texts in it, and each tab may change its own. What is sent twice under one id
   * is one comment, so the tab that had them before takes other ids. It needs no answer: a tab that the browser has
   * frozen hears of it before its reader can send anything.
   */
  #shareIds(restored: string[]): () => void {
    const tabs = openChannel(this.#key);
    if (tabs === null) return () => undefined;
    tabs.onmessage = ({ data }: MessageEvent<Restored>) => {
      for (const [field, unsent] of this.store.getState().texts)
        if (data.ids.includes(unsent.id)) this.#put(field, { ...unsent, id: newAnnotationId() });
    };
    if (restored.length > 0) tabs.postMessage({ ids: restored } satisfies Restored);
    return () => tabs.close();
  }

  #write(): void {
    const { begun, texts } = this.store.getState();
    const written = [...texts].filter(([field]) => !this.#isUntouched(field));
    const fields = new Set(written.map(([field]) => field));
    const kept: Kept = { begun: begun.filter(({ id }) => fields.has(id)), texts: written };
    writeStored(this.#key, written.length > 0 ? JSON.stringify(kept) : null, "tab");
  }

  /** Begins a comment, or continues the one at this place. Others stay if they contain text. */
  begin = (draft: CommentDraft): void => {
    const { begun } = this.store.getState();
    const known = begun.find((one) => placeOf(one) === placeOf(draft));
    for (const { id } of begun) if (id !== known?.id && this.#isUntouched(id)) this.end(id);
    if (known) return this.store.setState({ latest: { field: known.id } });
    const id = newAnnotationId();
    this.store.setState((state) => ({ begun: [{ ...draft, id }, ...state.begun] }));
    this.open(id);
  };

  /** Opens a field. `revision`: of the comment whose text it begins with. */
  open = (field: string, first = "", revision: number | null = null): void => {
    this.#put(field, { text: first, first, revision, id: newAnnotationId() });
    this.store.setState({ latest: { field } });
  };

  write = (field: string, text: string): void => {
    const { texts, latest } = this.store.getState();
    const unsent = texts.get(field);
    if (unsent) this.#put(field, { ...unsent, text });
    if (latest?.field !== field) this.store.setState({ latest: { field } });
  };

  /** The writer has seen this revision of the comment that the text would replace. */
  see = (field: string, revision: number): void => {
    const unsent = this.store.getState().texts.get(field);
    if (unsent) this.#put(field, { ...unsent, revision });
  };

  /** The text was sent, or given up. */
  end = (field: string): void => {
    const { begun, texts } = this.store.getState();
    this.store.setState({
      begun: begun.filter(({ id }) => id !== field),
      texts: new Map([...texts].filter(([name]) => name !== field)),
    });
  };

  /** Closes the fields without text. */
  dropUntouched = (): void => {
    for (const field of this.store.getState().texts.keys()) if (this.#isUntouched(field)) this.end(field);
  };

  get = (field: string): Unsent | null => this.store.getState().texts.get(field) ?? null;

  #isUntouched(field: string): boolean {
    const unsent = this.get(field);
    return unsent === null || unsent.text.trim() === unsent.first.trim();
  }

  #put(field: string, unsent: Unsent): void {
    this.store.setState(({ texts }) => ({ texts: new Map(texts).set(field, unsent) }));
  }
}

/** `null` in a browser that allows no storage: it has none, or refuses it (Firefox 153, where all cookies are blocked). */
function openChannel(name: string): BroadcastChannel | null {
  if (typeof BroadcastChannel === "undefined") return null;
  try {
    return new BroadcastChannel(name);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "SecurityError") return null;
    throw cause;
  }
}

/** Empty if nothing was stored, or another version of the page has stored it in another form. */
function parseKept(text: string | null): Kept {
  const stored = parseJson(text);
  const [begun, texts] = [listField(stored, "begun"), listField(stored, "texts")];
  return begun.every(isBegun) && texts.every(isText) ? { begun, texts } : { begun: [], texts: [] };
}

function isBegun(value: unknown): value is BegunComment {
  return ["id", "recordId", "about"].every((name) => textField(value, name) !== null);
}

function isText(value: unknown): value is Kept["texts"][number] {
  const [field, unsent] = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    typeof field === "string" && ["text", "first", "id"].every((name) => textField(unsent, name) !== null)
  );
}

/** The name of the field for an answer to the thread that this comment begins. */
export const answerField = (threadId: string): string => `answer ${threadId}`;
/** The name of the field in which this comment is changed. */
export const editField = (commentId: string): string => `edit ${commentId}`;

function placeOf({ recordId, block, selected }: CommentDraft): string {
  return JSON.stringify([recordId, block, selected]);
}

export const UnsentContext = createContext<UnsentComments | null>(null);

/** The unsent comments of the surrounding session. Throws outside of one. */
export function useUnsent(): UnsentComments {
  const unsent = useContext(UnsentContext);
  if (!unsent) throw new Error("Comments are used outside of a session.");
  return unsent;
}

/** New comments that were begun, the newest first. */
export function useBegunComments(): readonly BegunComment[] {
  return useStore(useUnsent().store, ({ begun }) => begun);
}

/** Fields of answers and changes with text whose comment is none of these any more. */
export function useFieldsOfGone(comments: readonly { id: string }[]): readonly string[] {
  const texts = useStore(useUnsent().store, (state) => state.texts);
  const ids = new Set(comments.map(({ id }) => id));
  return [...texts].flatMap(([field, { text, first }]) => {
    const [, id] = field.split(" ");
    return id !== undefined && !ids.has(id) && text.trim() !== first.trim() ? [field] : [];
  });
}

/** Whether a field is open. */
export function useIsOpen(field: string): boolean {
  return useStore(useUnsent().store, ({ texts }) => texts.has(field));
}
