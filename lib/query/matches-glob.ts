import { comparable } from "./text-forms";

/**
 * Whether a text matches a pattern, regardless of case and of Unicode form: `*` stands for any characters (in a path
 * also for folders, so `**` means the same), `?` for one. Linear in the text for any pattern with one star, and never
 * worse than the product of both lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = comparable(pattern);
  const given = comparable(text);
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < given.length) {
    if (wanted[next] === "*") {
      star = next;
      next += 1;
      resume = at;
    } else if (next < wanted.length && (wanted[next] === "?" || wanted[next] === given[at])) {
      next += 1;
      at += 1;
    } else if (star !== -1) {
      // The last star takes one more character; what the stars before it matched stays.
      resume += 1;
      at = resume;
      next = star + 1;
    } else return false;
  }
  while (wanted[next] === "*") next += 1;
  return next === wanted.length;
}

/** Without a wildcard a pattern names any part of the text: `model:opus`, `branch:retry`. */
export function matchesPart(pattern: string, text: string): boolean {
  if (/[*?]/.test(pattern)) return matchesGlob(pattern, text);
  return comparable(text).includes(comparable(pattern));
}

/** A pattern may begin at any folder of a path: `src/**`, `retry.ts`, `/home/dev/shop/src/*`, `src\\cart.ts`. */
export function matchesPath(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern, path].map((one) => one.replaceAll("\\", "/")) as [string, string];
  return matchesPart(wanted, given) || matchesGlob(`*/${wanted}`, given);
}
