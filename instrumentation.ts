/** Next calls this once as the server starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { publishGate } = await import("./lib/server/http/publish-gate");
  publishGate();
  const { publishArchiveCommands } = await import("./lib/server/archive/archive-commands");
  publishArchiveCommands();
  const { getState } = await import("./lib/server/http/state");
  getState();
}
