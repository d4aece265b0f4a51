/**
 * Work that continued after its call's result: a command or an agent, by the id that later calls and notifications
 * name.
 */
export type StartedTask = { kind: "command" | "agent"; id: string };

const COMMAND = /^Command (?:running in background|was manually backgrounded by user) with ID: ([\w-]+)/;
const AGENT = /^Async agent launched successfully\.[^\n]*\nagentId: ([\w-]+)/;

/**
 * The background work that the text of a result reports, `null` for any other text. The text is all that is known where
 * the line has no structured result: agents' lines from 2.1.29 on, and lines with the results of several calls
 * (2.1.330).
 */
export function startedTask(text: string): StartedTask | null {
  const command = COMMAND.exec(text)?.[1];
  if (command !== undefined) return { kind: "command", id: command };
  const agent = AGENT.exec(text)?.[1];
  return agent === undefined ? null : { kind: "agent", id: agent };
}
