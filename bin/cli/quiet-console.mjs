import { format } from "node:util";
import { printError } from "./print.mjs";

/**
 * Keeps stdout for the ready line. What the framework says while it starts (an address without the token
 * among it) is dropped; what is logged later goes to stderr, as warnings and errors always do: printed, since
 * an error may quote a log. Returns a function that ends the silence.
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
