/** C0 and C1 except tab and line feed: a terminal executes them, and a page shows nothing for them. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** DEL and C1: JSON may contain them unescaped, and a terminal executes them. */
const CONTROLS_IN_JSON = /[\u007f-\u009f]/g;

/** Replaces control characters by their Unicode symbols; C1 characters, which have none, by their number. */
export function spellControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : `\\x${code.toString(16)}`;
  });
}

/** `JSON.stringify`, with all control characters escaped. `undefined` is no JSON and becomes `null`. */
export function toPrintableJson(value: unknown, space?: number): string {
  return (JSON.stringify(value, null, space) ?? "null").replace(
    CONTROLS_IN_JSON,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
