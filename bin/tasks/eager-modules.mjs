import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

/** A chunk as Turbopack writes it for pages: it hands over a list of ids, each with the function of its module. */
const CHUNK = /^\(globalThis\.TURBOPACK\|\|\(globalThis\.TURBOPACK=\[\]\)\)\.push\(\[/;

/**
 * Has browsers compile the modules of the pages' chunks as they read them. A function they usually skim, and read it anew
 * when it is called, which nearly every module of a chunk is at once; one that stands in parentheses they take for such a
 * function. The first row of a session is there an eighth sooner.
 *
 * @param {string} folder of chunks
 * @throws {Error} where none has the known form, as after an update of Next
 */
export function compileModulesAtOnce(folder) {
  let modules = 0;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".js")) continue;
    const path = join(folder, name);
    const code = readFileSync(path, "utf8");
    const texts = moduleTexts(code);
    if (texts.length > 0) writeFileSync(path, inParentheses(code, texts));
    modules += texts.length;
  }
  if (modules === 0)
    throw new Error(`${folder} has no chunk in the form that bin/tasks/eager-modules.mjs knows`);
}

/**
 * The text of each module's function, in order; none of a script of another form, such as the runtime, which looks for a
 * page and finds none here.
 *
 * @param {string} code
 * @returns {string[]}
 */
function moduleTexts(code) {
  if (!CHUNK.test(code)) return [];
  /** @type {unknown[][]} */
  const pushed = [];
  try {
    runInNewContext(code, { TURBOPACK: pushed });
  } catch {
    return [];
  }
  return pushed.flat().flatMap((one) => (typeof one === "function" ? [String(one)] : []));
}

/**
 * @param {string} code
 * @param {readonly string[]} texts parts of it, in order
 */
function inParentheses(code, texts) {
  let done = "";
  let from = 0;
  for (const text of texts) {
    const at = code.indexOf(text, from);
    if (at === -1) throw new Error(`a module is not where it is expected: ${text.slice(0, 80)}`);
    done += `${code.slice(from, at)}(${text})`;
    from = at + text.length;
  }
  return done + code.slice(from);
}
