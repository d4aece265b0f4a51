/**
 * A command's output without the client's frame, whose contents the opened call shows elsewhere. `isKept`: the whole output
 * of one that was too long still exists. `isError`: the command failed, and only then its first line is the client's.
 */
export function plainOutput(
  text: string,
  { isKept, isError }: { isKept: boolean; isError: boolean },
): string {
  const printed = isError
    ? text.replace(/^(?:Error: )?Exit code \d+(?:\n|$)/, "")
    : // 2.1.110 on.
      text.replace(/^\(Bash completed with no output\)$/, "");
  return withoutFrame(printed, isKept);
}

/**
 * From 2.1.29 on a long output is a preview in a frame that says where the whole output is. If that still exists
 * (`isKept`), it can be loaded below; otherwise the frame's text is all that is known of it.
 */
function withoutFrame(text: string, isKept: boolean): string {
  const inside = /^<persisted-output>\n?([\s\S]*?)\n?<\/persisted-output>\s*$/.exec(text)?.[1];
  if (inside === undefined) return text;
  const preview = /^Output too large[^\n]*\n+Preview \(first [^\n]*\):\n([\s\S]*?)(?:\n\.\.\.)?$/.exec(
    inside,
  )?.[1];
  return isKept && preview !== undefined ? preview : inside;
}

/**
 * The client's text around an agent's answer is for the model alone: from 2.0.76 on below it, from 2.1.110 on above it
 * too. 2.1.330 hands it back with every line indented.
 */
export function withoutAgentFrame(text: string): string {
  const said = text
    .replace(/^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/, "")
    .replace(/\nagentId: \S+ \((?:use SendMessage|for resuming)[\s\S]*$/, "");
  const report = said.replace(/^\s*\[Subagent hand-back\][^\n]*\n/, "");
  return report === said ? said : report.replace(/^ {2}/gm, "");
}

/** The client wraps its own errors in a tag that says nothing to a reader. */
export function withoutErrorTag(text: string, isError: boolean): string {
  return !isError ? text : text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");
}
