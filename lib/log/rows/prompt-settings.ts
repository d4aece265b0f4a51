import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { describeTodos } from "./calls/describe-tasks";

/**
 * What the client recorded with a prompt, in words: thinking (1.0.128 and 2.0: a level; 2.1.29, 2.1.42: a
 * budget), the list of things to do (2.0.50–2.1.42), plan name (2.0.76), permission mode (2.1.29), effort
 * (2.1.330). What is as it always is says nothing.
 */
export function promptSettings(json: JsonObject): Record<string, string> {
  const settings: Record<string, string> = {};
  const mode = asString(json.permissionMode);
  if (mode && mode !== "default") settings.permissions = mode;
  const slug = asString(json.slug);
  if (slug) settings.plan = slug;
  const thinking = thinkingWords(asObject(json.thinkingMetadata));
  if (thinking) settings.thinking = thinking;
  const effort = asString(json.effort);
  if (effort) settings.effort = effort;
  const todos = asArray(json.todos);
  if (todos.length > 0) {
    const { subject, aside } = describeTodos({ ...NO_CALL, input: { todos } });
    settings["to do"] = aside ? `${subject}, ${aside}` : subject;
  }
  return settings;
}

const NO_CALL = { name: "", cwd: null, isError: false, text: null, isCut: false, result: null };

function thinkingWords(thinking: JsonObject | null): string | null {
  if (!thinking || thinking.disabled === true) return null;
  const level = asString(thinking.level);
  if (level) return level === "none" ? null : level;
  const budget = asNumber(thinking.maxThinkingTokens);
  return budget === null || budget === 0 ? null : `up to ${budget.toLocaleString("en-US")} tokens`;
}
