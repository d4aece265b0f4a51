/** At the beginning `=` and `%` are other things to zsh and fish. */
const PLAIN_WORD = /^(?![=%])[A-Za-z0-9_./:@%+=-]+$/;
/**
 * What a terminal obeys when a command is pasted (a break ends it there, and the rest would be another command), and what
 * has it read otherwise than it is. A folder's name may hold any of it, and is what somebody else's log says.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text as one word of a command for a POSIX shell, and for fish as far as that has such words. */
export function posixWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text;
  // To fish a backslash before a quote is not the end of a word in quotes: outside of them every shell reads both alike.
  if (text.search(CONTROLS) === -1) return `'${text.replace(/['\\]/g, "'\\$&'")}'`;
  // fish has no such words, and refuses the whole line.
  return `$'${text.replace(/['\\]/g, "\\$&").replace(CONTROLS, octalBytes)}'`;
}

/** A text as one word of a command for PowerShell. */
export function powershellWord(text: string): string {
  // A word that begins with @ is another thing there, and typographic quotes are quotes.
  if (PLAIN_WORD.test(text) && !text.startsWith("@")) return text;
  if (text.search(CONTROLS) === -1) return `'${text.replace(/['‘’‚‛]/g, "$&$&")}'`;
  return `"${text.replace(/["“”„$`]/g, "`$&").replace(CONTROLS, characterCodes)}"`;
}

/** A text as one word of a command for a terminal of this machine. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? powershellWord(text) : posixWord(text);
}

/** As bash, zsh and the newer plain shells read them in `$'…'`. */
function octalBytes(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** As every PowerShell computes them in `"…"`, by UTF-16 units. */
function characterCodes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `$([char]0x${unit.toString(16)})`).join("");
}
