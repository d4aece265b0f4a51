import { textField } from "@/components/content/log-values";

/** What was stopped: the command that it ran, or where the log does not have that, words about it. */
export type StoppedTask = { text: string; isCommand: boolean };

/** What the result of a KillShell or TaskStop says of the task; `null` where it names none. */
export function stoppedTask(result: unknown): StoppedTask | null {
  const command = textField(result, "command");
  if (command) return { text: command, isCommand: true };
  const [, thing, text] =
    /^Successfully \w+ (\w+): .*?\((.+)\)$/s.exec(textField(result, "message") ?? "") ?? [];
  // 2.1.29 gives a task's description there; shells (up to 2.0.76), and tasks from 2.1.42 on, have their command.
  return text ? { text, isCommand: thing === "shell" } : null;
}
