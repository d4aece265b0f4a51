import { rmSync } from "node:fs";
import type { LeftOut } from "@/lib/wire/shares";
import type { CopyRules } from "./copy-redaction";
import type { CopySource } from "./copy-source";
import { SessionCopy } from "./session-copy";

/** Bring a share's copy up to date; convert an owner's address to the copy's; redact a text; remove the copy. */
export type CopyTask =
  | {
      kind: "update";
      id: string;
      folder: string;
      rules: CopyRules | null;
      leftOut: readonly LeftOut[];
      sources: CopySource[];
    }
  | { kind: "translate"; id: string; text: string }
  | { kind: "redact"; id: string; text: string }
  | { kind: "remove"; id: string; folder: string };

/** `wrote`: files of the copy changed. `text`: the requested text, for the copy's readers. */
export type CopyAnswer = { wrote: boolean; text: string };

/** Does the tasks: in the server a worker thread, in tests a CopyWorker. */
export type AskCopies = (task: CopyTask) => CopyAnswer | Promise<CopyAnswer>;

/** The copies of all shares. */
export class CopyWorker {
  readonly #copies = new Map<string, SessionCopy>();

  /** An unknown copy, as after a thread has died, is made again. Throws the system's errors for its folder. */
  do(task: CopyTask): CopyAnswer {
    const { kind, id } = task;
    if (kind === "translate")
      return { wrote: false, text: this.#copies.get(id)?.translate(task.text) ?? task.text };
    if (kind === "redact") {
      const copy = this.#copies.get(id);
      // Unchanged, it could contain what is redacted in the copy.
      if (!copy) throw new Error("There is no copy by which to redact");
      return { wrote: false, text: copy.redact(task.text) };
    }
    if (kind === "remove") {
      this.#copies.delete(id);
      rmSync(task.folder, { recursive: true, force: true });
      return { wrote: true, text: "" };
    }
    let copy = this.#copies.get(id);
    if (!copy) {
      copy = new SessionCopy(task.folder, task.rules, task.leftOut);
      this.#copies.set(id, copy);
    }
    return { wrote: copy.update(task.sources, task.rules?.own), text: "" };
  }
}
