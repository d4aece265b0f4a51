import { asString } from "@/lib/log/records/json";
import { firstWords } from "@/lib/log/rows/cut-text";
import type { CallFacts, CallLine } from "./call-facts";

/** An agent: what it was started for, and its type. */
export function describeAgent({ input }: CallFacts): CallLine {
  const subject = asString(input.description) ?? firstWords(asString(input.prompt) ?? "", 120);
  return { subject, aside: asString(input.subagent_type) };
}

/** Words from one agent to another. */
export function describeMessage({ input }: CallFacts): CallLine {
  const to = asString(input.to) ?? asString(input.recipient) ?? "";
  return {
    subject: `to ${to}`,
    aside: firstWords(asString(input.message) ?? asString(input.content) ?? "", 120),
  };
}

/** A workflow by its name, and what it came to. */
export function describeWorkflow({ input, result }: CallFacts): CallLine {
  const name = asString(result?.workflowName) ?? asString(input.name) ?? asString(input.description);
  return { subject: name ?? firstWords(asString(input.script) ?? "", 120), aside: asString(result?.summary) };
}
