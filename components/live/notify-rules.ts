import { fieldsOf, parseJson, textField } from "@/lib/format/json-values";
import { evaluate } from "@/lib/query/evaluate";
import { matchesGlob } from "@/lib/query/matches-glob";
import { type Leaf, parseQuery } from "@/lib/query/parse-query";
import type { LiveCall } from "@/lib/wire/live";

/** When the reader is notified about a running session. */
export type NotifyRules = {
  /** It waits for its person. */
  waits: boolean;
  /** It has finished, or stopped midway. */
  ends: boolean;
  /** A call of it has failed. */
  errors: boolean;
  /** A call names a file of secrets, such as `.env`. */
  env: boolean;
  /** A call is found by this query; empty for none. */
  calls: string;
  /** With a short sound. */
  sound: boolean;
};

export const NO_RULES: NotifyRules = {
  ...{ waits: false, ends: false, errors: false, env: false },
  ...{ calls: "", sound: false },
};

/**
 * Rules from their stored text. A missing or invalid value is off. Older versions stored the words `needs` and `ends`.
 */
export function parseRules(text: string | null): NotifyRules {
  if (text === null) return NO_RULES;
  if (!text.startsWith("{"))
    return { ...NO_RULES, waits: text.includes("needs"), ends: text.includes("ends") };
  const stored = fieldsOf(parseJson(text));
  const isOn = (name: keyof NotifyRules) => stored[name] === true;
  return {
    ...{ waits: isOn("waits"), ends: isOn("ends"), errors: isOn("errors"), env: isOn("env") },
    ...{ calls: textField(stored, "calls") ?? "", sound: isOn("sound") },
  };
}

/** Whether any rule is on. */
export function hasRules({ waits, ends, errors, env, calls }: NotifyRules): boolean {
  return waits || ends || errors || env || calls.trim() !== "";
}

/** `.env`, `.env.local` and the like, but not an example of one. */
const ENV_FILE = /(?:^|[\s"'`=/\\(])\.env(?!\.(?:example|sample|template|dist)\b)(?:\.[\w-]+)?(?![\w.-])/;

/** Why these rules notify about a call, and by which rule; `null` if they do not. */
export function whyTold(
  { name, subject, text, failed, isNew, agentId }: LiveCall,
  rules: NotifyRules,
): { rule: "errors" | "env" | "calls"; why: string } | null {
  const about = [name, subject].filter(Boolean).join(" ");
  const call = agentId === null ? "A call" : "A call of an agent";
  if (isNew && rules.env && ENV_FILE.test(`${subject}\n${text}`))
    return { rule: "env", why: `${agentId === null ? "Reads" : "An agent reads"} a .env file: ${about}` };
  if (isNew && rules.calls.trim() !== "" && isFound(rules.calls, { name, text: `${about}\n${text}` }))
    return { rule: "calls", why: `${call} is found by ${rules.calls.trim()}: ${about}` };
  return failed && rules.errors ? { rule: "errors", why: `${call} has failed: ${about}` } : null;
}

/** The part of a query that does not apply to a single call; `null` if the query can be used. */
export function callQueryProblem(query: string): string | null {
  const { query: parsed, errors } = parseQuery(query, { checkRegex: regexProblem });
  const [error] = errors;
  if (error) return error.message;
  let other: string | null = null;
  evaluate(parsed, (leaf) => {
    if (leaf.kind === "filter" && leaf.name !== "tool")
      other ??= `${leaf.name}: does not apply to a single call`;
    return null;
  });
  return other;
}

function isFound(query: string, call: { name: string; text: string }): boolean {
  return evaluate(parseQuery(query).query, (leaf) => holds(leaf, call)) === true;
}

function holds(leaf: Leaf, { name, text }: { name: string; text: string }): boolean {
  switch (leaf.kind) {
    case "word":
    case "phrase":
      return text.toLowerCase().includes(leaf.text.toLowerCase());
    case "filter":
      // As in a search: `mcp__*` matches all MCP tools, and TaskOutput is another tool than Task.
      return leaf.name === "tool" && matchesGlob(leaf.value, name);
    case "regex":
      return false;
  }
}

/** Expressions run on the server alone, where their time is bounded. */
const regexProblem = () => "An expression can’t be used here";
