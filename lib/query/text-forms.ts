/**
 * The forms in which a term may be written: a letter with an accent is one character, as it is typed, or two, as macOS
 * has it in names of files.
 */
export function formsOf(term: string): string[] {
  return [...new Set([term, term.normalize("NFC"), term.normalize("NFD")])];
}

/** A name as it is compared: in any case, and in one form. */
export function comparable(name: string): string {
  return name.toLowerCase().normalize("NFC");
}
