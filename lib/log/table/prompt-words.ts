import { asArray, asObject, asString } from "@/lib/log/records/json";

/** The text of a queued prompt, which may be a string or blocks. */
export function promptWords(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  return asArray(prompt)
    .map((block) => asString(asObject(block)?.text) ?? "")
    .join("\n");
}
