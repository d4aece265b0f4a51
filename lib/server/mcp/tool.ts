import type { z } from "zod";
import type { McpWorld } from "./mcp-world";

/** What a tool answers: words of logs, and our own about them, such as how to ask for more. */
export type ToolAnswer = { recorded: string; note: string };

/** A tool of the MCP server. `answer` throws ViewerErrors, which the assistant is told. */
export type McpTool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  answer: (world: McpWorld, input: never) => Promise<ToolAnswer>;
};

/** A tool whose answer is given what its input's shape makes. */
export function tool<Input extends z.ZodObject>(
  made: Omit<McpTool, "input" | "answer"> & {
    input: Input;
    answer: (world: McpWorld, input: z.output<Input>) => Promise<ToolAnswer>;
  },
): McpTool {
  return made;
}
