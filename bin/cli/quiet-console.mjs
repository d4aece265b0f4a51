/**
 * Keeps stdout for the ready line. What the framework says while it starts (an address without the token
 * among it) is dropped; what is logged later goes to stderr. Returns a function that ends the silence.
 */
export function quietConsole() {
  let started = false;
  for (const method of /** @type {const} */ (["log", "info", "debug"])) {
    console[method] = (...args) => {
      if (started) console.error(...args);
    };
  }
  return () => {
    started = true;
  };
}
