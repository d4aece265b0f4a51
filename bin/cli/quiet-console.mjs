import { format } from "node:util";
import { printError } from "./print.mjs";

/**
 * Reserves stdout for the ready line. What Next prints during startup (including a URL without the token) is dropped;
 * later messages go to stderr like all warnings and errors, through `print`, since an error may quote a log. Returns a
 * function to call once startup is over.
 */
export function quietConsole() {
  let started = false;
  for (const method of /** @type {const} */ (["log", "info", "debug"])) {
    console[method] = (...args) => {
      if (started) console.error(...args);
    };
  }
  for (const method of /** @type {const} */ (["warn", "error"]))
    console[method] = (...args) => printError(`${format(...args)}\n`);
  return () => {
    started = true;
  };
}
