import { basename } from "node:path";
import { OPEN } from "@/lib/log/records/json-bytes";
import type { RawLine } from "@/lib/log/records/line-splitter";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { DoctorOutside, OutsideCode } from "@/lib/wire/doctor";

const MESSAGES: Record<OutsideCode, string> = {
  empty: "It is empty",
  blank: "It holds only empty lines",
  "utf-16": "It is UTF-16 text; logs are UTF-8. Convert it to read it",
  "no-records": "No line of it is a record",
  "no-messages": "It holds only book-keeping of the client, and no message",
  journal: "The journal of a workflow, whose agents have logs of their own",
  "warm-up": "Only agents that the client warmed up for a session that never was",
};

/** Determines why a file is not a session, from its name and content. */
export class OutsideReason {
  readonly #name: string;
  #last = 0;
  #lines = 0;
  #records = 0;
  #messages = 0;
  #isBlank = true;
  #isUtf16 = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** Takes a line, including an incomplete last one; a line given twice counts once. */
  takeLine({ bytes, offset, line }: RawLine): void {
    if (line > this.#last) this.#lines += 1;
    this.#last = line;
    if (offset === 0) this.#isUtf16 = looksLikeUtf16(bytes);
    this.#isBlank &&= bytes.every((byte) => byte <= 0x20 && byte !== 0);
  }

  takeRecords(records: readonly SessionRecord[]): void {
    for (const { kind } of records) {
      if (kind !== "unreadable") this.#records += 1;
      if (kind === "user" || kind === "assistant") this.#messages += 1;
    }
  }

  /**
   * The reason, once all lines and records were taken.
   * @param bytes length of the file
   */
  conclude(bytes: number): DoctorOutside {
    const code = this.#code(bytes);
    return {
      file: this.#name,
      code,
      message: MESSAGES[code],
      bytes,
      lines: this.#lines,
      records: this.#records,
    };
  }

  #code(bytes: number): OutsideCode {
    if (bytes === 0) return "empty";
    if (this.#isUtf16) return "utf-16";
    if (this.#isBlank) return "blank";
    if (this.#records === 0) return "no-records";
    const name = basename(this.#name);
    if (name === "journal.jsonl") return "journal";
    return name.startsWith("agent-") && this.#messages > 0 ? "warm-up" : "no-messages";
  }
}

/** A byte order mark of UTF-16, or a NUL next to the brace with which every record begins. */
function looksLikeUtf16([first, second]: Uint8Array): boolean {
  if (first === 0xff && second === 0xfe) return true;
  if (first === 0xfe && second === 0xff) return true;
  return (first === OPEN && second === 0) || (first === 0 && second === OPEN);
}
