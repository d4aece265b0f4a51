/** An agent that a workflow's script starts with a label, and the phase that it names. */
export type WorkflowAgent = { label: string; phase: string | null };
/** What a workflow's script says of itself; `null` and empty where it does not. */
export type WorkflowScript = {
  name: string | null;
  description: string | null;
  phases: string[];
  agents: WorkflowAgent[];
};

const QUOTED = String.raw`(?:'([^'\\\n]*)'|"([^"\\\n]*)"|\x60([^\x60\\$\n]*)\x60)`;

/**
 * What a workflow's script (2.1.330) says of itself: names, phases, and the agents it starts with a label. Read
 * by its plain strings, never run; what is computed in it is not seen.
 */
export function readWorkflowScript(script: string): WorkflowScript {
  const phases = unique(all(script, "title").concat(all(script, String.raw`(?<=\bphase)\s*\(`)));
  const agents = [...script.matchAll(/\{[^{}]*\blabel\s*:[^{}]*\}/g)].map(([options]) => ({
    label: all(options, "label")[0] ?? "agent",
    phase: all(options, "phase")[0] ?? null,
  }));
  return {
    name: all(script, "name")[0] ?? null,
    description: all(script, "description")[0] ?? null,
    phases: unique([...phases, ...agents.flatMap(({ phase }) => phase ?? [])]),
    agents,
  };
}

function all(text: string, key: string): string[] {
  const before = key.endsWith("(") ? key : String.raw`\b${key}\s*:`;
  return [...text.matchAll(new RegExp(String.raw`${before}\s*${QUOTED}`, "g"))].map(
    ([, single, double, back]) => single ?? double ?? back ?? "",
  );
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
