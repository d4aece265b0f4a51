import { asObject, asString, type JsonObject, MAX_WRITTEN_LEVELS, nestsDeeper } from "./json";

/** Base64 as a text of its own: what a command printed, of which the client shows an image. */
const IMAGE_URL = /^data:image\/[\w.+-]+;base64,/;

/**
 * A value of a log without its images and documents; the same value if it has none. In their places stand the words that
 * the client (2.1.42) puts there when it takes images out of what it sends, so that other blocks keep theirs.
 */
export function withoutImages<Value>(value: Value): Value {
  let found = false;
  const root: { value: unknown } = { value };
  const pending: object[] = [root];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    const fields = holder as Record<string, unknown>;
    for (const [name, held] of Object.entries(holder)) {
      const word = wordFor(held);
      if (word !== null) {
        found = true;
        fields[name] = word;
      } else if (typeof held === "object" && held !== null) {
        const copy = Array.isArray(held) ? [...held] : { ...held };
        fields[name] = copy;
        pending.push(copy);
      }
    }
  }
  return found ? (root.value as Value) : value;
}

/** The same of a line, whose fields that nest too deep to be written are left out with them. */
export function lineWithoutImages(record: JsonObject): JsonObject {
  const kept = withoutImages(record);
  if (kept === record) return record;
  return Object.fromEntries(
    Object.entries(kept).filter(([, value]) => !nestsDeeper(value, MAX_WRITTEN_LEVELS)),
  );
}

/** Whether a line may have any: others need not be parsed. */
export function mayHoldImages(line: string): boolean {
  return /base64|"(?:image|document|pdf)"/.test(line);
}

/** What stands for an image or a document, or what Read returned of one; null for anything else. */
function wordFor(value: unknown): unknown {
  if (typeof value === "string") return IMAGE_URL.test(value) ? "[image]" : null;
  const block = asObject(value);
  if (block === null || (block.type !== "image" && block.type !== "document" && block.type !== "pdf"))
    return null;
  const text = block.type === "image" ? "[image]" : "[document]";
  if (asObject(block.source) !== null) return { type: "text", text };
  const file = asObject(block.file);
  if (asString(file?.base64) === null) return null;
  const lines = { numLines: 1, startLine: 1, totalLines: 1 };
  return { type: "text", file: { filePath: asString(file?.filePath) ?? "", content: text, ...lines } };
}
