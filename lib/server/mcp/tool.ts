import type { z } from "zod";
import type { McpWorld } from "./mcp-world";

/** A tool's answer: text from logs, and our own note about it, such as how to ask for more. */
export type ToolAnswer = { recorded: string; note: string };

/** A tool of the MCP server. `answer` throws ViewerErrors, whose texts the assistant gets. */
export type McpTool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  answer: (world: McpWorld, input: never) => Promise<ToolAnswer>;
};

/** Defines a tool. `answer` gets the parsed input. */
export function tool<Input extends z.ZodObject>(
  made: Omit<McpTool, "input" | "answer"> & {
    input: Input;
    answer: (world: McpWorld, input: z.output<Input>) => Promise<ToolAnswer>;
  },
): McpTool {
  return made;
}
