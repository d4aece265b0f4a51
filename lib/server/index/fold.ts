/**
 * UTF-16 units by which case is forgotten: two units are the same letter to a regular expression with
 * the flag `i` exactly if they fold to one. That is upper case, but for letters that become several, and
 * for foreign letters that would become ASCII ones.
 */
export const FOLD = makeFold();

function makeFold(): Uint16Array {
  const fold = new Uint16Array(65536);
  for (let unit = 0; unit < fold.length; unit++) {
    fold[unit] = unit;
    // Chinese, Korean, surrogates and private letters have no case, and are most of all.
    if (unit >= 0x2e80 && unit < 0xa640) continue;
    if (unit >= 0xac00 && unit < 0xfb00) continue;
    const upper = String.fromCharCode(unit).toUpperCase();
    const code = upper.charCodeAt(0);
    fold[unit] = upper.length !== 1 || (unit >= 128 && code < 128) ? unit : code;
  }
  return fold;
}

/** The units that fold to the same letter, the given one included. */
export function variantsOf(unit: number): number[] {
  if (unit < 128) {
    const text = String.fromCharCode(unit);
    return [...new Set([text.toLowerCase().charCodeAt(0), text.toUpperCase().charCodeAt(0)])];
  }
  const folded = FOLD[unit];
  const variants: number[] = [];
  for (let other = 128; other < FOLD.length; other++) if (FOLD[other] === folded) variants.push(other);
  return variants;
}
