/** What editors and the client put around typed text. */
const INJECTED = [
  "system-reminder",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "new-diagnostics",
];

/** What a person typed of a text, without what was put around it. */
export function typedText(text: string): string {
  return takeApart(text).typed.trim();
}

/** What was put around a typed text, one after the other; empty where nothing was. */
export function injectedText(text: string): string {
  return takeApart(text).injected.join("\n");
}

/** True where such a part is opened and not closed: the text may have been cut. */
export function isOpenEnded(text: string): boolean {
  return INJECTED.some((name) => {
    const open = text.lastIndexOf(`<${name}>`);
    return open !== -1 && !text.includes(`</${name}>`, open);
  });
}

function takeApart(text: string): { typed: string; injected: string[] } {
  const injected: string[] = [];
  const typed = text.includes("<")
    ? INJECTED.reduce((rest, name) => withoutTag(rest, name, injected), text)
    : text;
  return { typed, injected };
}

/** Linear, also where a tag is opened a thousand times and never closed. */
function withoutTag(text: string, name: string, taken: string[]): string {
  const open = `<${name}>`;
  const close = `</${name}>`;
  let kept = "";
  let at = 0;
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, at)) {
    const to = text.indexOf(close, from);
    if (to === -1) break;
    kept += text.slice(at, from);
    at = to + close.length;
    taken.push(text.slice(from, at));
  }
  return kept + text.slice(at);
}
