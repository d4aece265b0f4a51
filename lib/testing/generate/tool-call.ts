import type { Json } from "./transcript";

/** A call that a message makes, and what will come of it. */
export type ToolCall = {
  name: string;
  input: Json;
  isError: boolean;
  /** The result block's content: text, or blocks. */
  content: string | Json[];
  /** The client's own structured result; left out on sub-agents' lines from 2.1.29 on. */
  toolUseResult: unknown;
  /** How long it takes, in milliseconds. */
  durationMs: number;
  /** The change of a file that the result records. */
  change: { path: string; added: number; removed: number } | null;
  images: number;
  /** An output file beside the log, named without folder, with its text. */
  persisted: { name: string; text: string } | null;
  /** Starts an agent in place of the content above. */
  agent: { description: string; prompt: string; type: string; background: boolean } | null;
};

/** A call that succeeded and left nothing behind. */
export function plainCall(name: string, input: Json, content: string, toolUseResult: unknown): ToolCall {
  return {
    name,
    input,
    isError: false,
    content,
    toolUseResult,
    durationMs: 30,
    change: null,
    images: 0,
    persisted: null,
    agent: null,
  };
}

/** The same call, failed with the text that the model is given. */
export function failedCall(call: ToolCall, message: string, structured = `Error: ${message}`): ToolCall {
  return {
    ...call,
    isError: true,
    content: message,
    toolUseResult: structured,
    change: null,
    images: 0,
    persisted: null,
  };
}
