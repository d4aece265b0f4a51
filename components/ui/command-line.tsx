import { CopyButton } from "./copy-button";

/** A command to run in a terminal, cut at its end, with a button that copies it whole. */
export function CommandLine({ command, prompt = "$" }: { command: string; prompt?: string | null }) {
  return (
    <div className="flex h-7 max-w-full min-w-0 items-center gap-2 rounded-2 border border-line-2 bg-panel pr-1 pl-2 font-mono text-code">
      {prompt ? <span className="text-fg-3 select-none">{prompt}</span> : null}
      <span className="min-w-0 flex-1 truncate" title={command}>
        {command}
      </span>
      <CopyButton text={command} label="Copy command" />
    </div>
  );
}
