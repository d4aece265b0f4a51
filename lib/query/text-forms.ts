/**
 * The forms in which a term may be written: a letter with an accent is one character, as it is typed, or two, as in
 * macOS's file names.
 */
export function formsOf(term: string): string[] {
  return [...new Set([term, term.normalize("NFC"), term.normalize("NFD")])];
}

/** A name in the form in which names are compared: regardless of case and of Unicode form. */
export function comparable(name: string): string {
  return name.toLowerCase().normalize("NFC");
}
