/** A tool as a request declares it. */
export type DeclaredTool = {
  name: string;
  /** The MCP server of `mcp__server__tool`. */
  server: string | null;
  description: string;
  schema: unknown;
  deferred: boolean;
  chars: number;
};

/** The tools of a recorded request; entries that are no objects are left out. */
export function declaredTools(tools: unknown): DeclaredTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (typeof tool !== "object" || tool === null) return [];
    const { name, description, input_schema, defer_loading, type } = tool as Record<string, unknown>;
    const called = typeof name === "string" ? name : typeof type === "string" ? type : "tool";
    return [
      {
        name: called,
        server: /^mcp__(.+?)__/.exec(called)?.[1] ?? null,
        description: typeof description === "string" ? description : "",
        schema: input_schema ?? tool,
        deferred: defer_loading === true,
        chars: JSON.stringify(tool).length,
      },
    ];
  });
}

/** `18 built in, 26 from 3 MCP servers, 9 deferred`. */
export function toolsWords(tools: readonly DeclaredTool[]): string {
  const servers = new Set(tools.flatMap(({ server }) => (server === null ? [] : [server])));
  const foreign = tools.filter(({ server }) => server !== null).length;
  const deferred = tools.filter((tool) => tool.deferred).length;
  return [
    `${tools.length - foreign} built in`,
    foreign > 0 && `${foreign} from ${servers.size} MCP server${servers.size === 1 ? "" : "s"}`,
    deferred > 0 && `${deferred} deferred`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The parts of a system prompt: a string is one, a list of text blocks several. */
export function systemParts(system: unknown): { text: string; cached: boolean }[] {
  if (typeof system === "string") return [{ text: system, cached: false }];
  if (!Array.isArray(system)) return [];
  return system.map((part: unknown) => {
    const { text, cache_control } = (part ?? {}) as Record<string, unknown>;
    return {
      text: typeof text === "string" ? text : JSON.stringify(part, null, 2),
      cached: cache_control != null,
    };
  });
}
