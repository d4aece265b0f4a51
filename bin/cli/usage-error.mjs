/** An error that the caller can fix. The message is one line that says what to do; the exit code is 2. */
export class UsageError extends Error {
  /** @override */
  name = "UsageError";
}
