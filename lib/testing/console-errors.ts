import { format } from "node:util";
import { onTestFinished } from "vitest";

/**
 * From here on the running test fails with whatever is written on the console as an error or a warning: a page writes
 * none, so it is React that tells of a fault (an update outside of `act`, a list without keys), or a package, or a request
 * that the test answers with nothing. A test that expects one replaces `console.error` behind this.
 */
export function failOnConsoleErrors(): void {
  const { error, warn } = console;
  const written: string[] = [];
  const note = (...parts: unknown[]) => {
    written.push(format(...parts));
  };
  Object.assign(console, { error: note, warn: note });
  onTestFinished(() => {
    Object.assign(console, { error, warn });
    if (written.length > 0) throw new Error(`On the console:\n${[...new Set(written)].join("\n")}`);
  });
}
