import { shortHash } from "@/lib/server/disk/folder-entries";

const ID_DIGITS = 16;

/**
 * What prompts of the same words share, whatever their capitals and spaces.
 * @param length characters of the whole text, of which `text` may be the beginning
 */
export function promptIdOf(text: string, length: number): string {
  const words = text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  return shortHash(length === text.length ? words : `${words} ${length}`, ID_DIGITS);
}
