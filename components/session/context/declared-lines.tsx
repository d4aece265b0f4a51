import { useState } from "react";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { formatPlural } from "@/lib/format/format";
import type { MessagesResponse } from "@/lib/wire/model-requests/messages";
import { declaredTools, formatTools, systemParts } from "./context-entries";
import { ContextLine } from "./context-line";
import { useTokenEstimate } from "./token-estimate";

/** The system prompt and the tools of a recorded request, as lines that open. */
export function DeclaredLines({ response, largest }: { response: MessagesResponse; largest: number }) {
  const [open, setOpen] = useState<"system" | "tools" | null>(null);
  const toggle = (which: "system" | "tools") => () => setOpen(open === which ? null : which);
  const parts = systemParts(response.system);
  const tools = declaredTools(response.tools);
  const cached = parts.some((part) => part.cached);
  return (
    <>
      {parts.length > 0 && (
        <div className="border-b border-line">
          <ContextLine
            name="System prompt"
            nameWide
            subject={
              <span className="text-fg-2">{`${formatPlural(parts.length, "part")}${cached ? ", cached" : ""}`}</span>
            }
            chars={response.shares.system}
            largest={largest}
            fill="system"
            open={open === "system"}
            onToggle={toggle("system")}
          >
            {parts.map(({ text }, index) => (
              <div
                key={index}
                data-wrap="true"
                className="group/opened border-t border-line first:border-t-0"
              >
                <OutputText text={text} />
              </div>
            ))}
          </ContextLine>
        </div>
      )}
      {tools.length > 0 && (
        <div className="border-b border-line">
          <ContextLine
            name="Tools"
            nameWide
            subject={<span className="text-fg-2">{formatTools(tools)}</span>}
            chars={response.shares.tools}
            largest={largest}
            fill="system"
            open={open === "tools"}
            onToggle={toggle("tools")}
          >
            {tools.map((tool, index) => (
              <ToolLine key={index} tool={tool} />
            ))}
          </ContextLine>
        </div>
      )}
    </>
  );
}

function ToolLine({ tool }: { tool: ReturnType<typeof declaredTools>[number] }) {
  const estimate = useTokenEstimate();
  const [open, setOpen] = useState(false);
  return (
    <div className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-expanded={open}
        className="grid min-h-6 w-full grid-cols-[calc(132px*var(--u))_minmax(0,1fr)_auto_auto] items-center gap-x-2 px-3 text-left text-12 whitespace-nowrap -outline-offset-2! hover:bg-raised"
        onClick={() => setOpen(!open)}
      >
        <span className="truncate font-mono">{tool.name}</span>
        <span className="truncate text-fg-3">{tool.description.split("\n", 1)[0]}</span>
        <span className="text-11 text-fg-3">{tool.deferred && "deferred"}</span>
        <span className="text-fg-2 tabular-nums">{estimate.short(tool.chars)}</span>
      </button>
      {open && (
        <div data-wrap="true" className="group/opened border-t border-line bg-panel">
          {tool.description && <OutputText text={tool.description} />}
          <div className="px-3 pb-2">
            <JsonTree value={tool.schema} openLevels={2} />
          </div>
        </div>
      )}
    </div>
  );
}
