import { formatCompact, formatCost, formatDuration, formatFullTime, formatPlural } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
import { titleOfPrompt } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { EXPORTED } from "@/lib/wire/exported";
import type { Row, ToolRow, TurnRow } from "@/lib/wire/rows";
import { agentFacts, formatLeftOut, formatReturn } from "./agent-words";
import { ELSEWHERE, threadToHtml } from "./comment-words";
import type { ExportedComments } from "./exported-comments";
import type { AgentStart, ExportedAgent, ExportedAgents, ThreadPart } from "./exported-threads";
import { blobHtml, callHtml } from "./html/call";
import type { ExportedPageCode } from "./html/exported-page";
import { type Html, type HtmlValue, html, visible } from "./html/html";
import type { LogReader } from "./html/log-reader";
import { output } from "./html/output";
import { dataElement } from "./html/page-data";
import { promptProse, prose } from "./html/prose";
import { STYLE } from "./html/style";

/** The file has its own policy: opened from disk it loads nothing, and runs only its own page, whatever it contains. */
function policy(page: ExportedPageCode | null): string {
  const runs = page
    ? `script-src '${page.scriptHash}'; worker-src blob:; img-src blob: data:`
    : "img-src data:";
  return `default-src 'none'; ${runs}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

/**
 * The start of an exported file. All text is escaped: nothing from a log becomes markup. The page draws the file's
 * data; what follows `staticBegin` is for readers without scripts.
 */
export function htmlHead(title: string, page: ExportedPageCode | null): string {
  // The policy and the styles are ours, and a template would escape them.
  const styles = page
    ? `<style id="page-style" media="not all">${page.style}</style><noscript><style>${STYLE}</style></noscript>`
    : `<style>${STYLE}</style>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(page)}">
<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
${html`<title>${labelHidden(shownTitle(title))}</title>`.source}${styles}</head><body>
${page ? '<div id="page"></div>\n' : ""}`;
}

/** The beginning of the part for readers without scripts. */
export function staticBegin(title: string, facts: string, page: ExportedPageCode | null): string {
  return `${page ? "<noscript>" : ""}<main>
${html`<h1>${visible(shownTitle(title))}</h1>\n<p class="meta">${visible(facts)}</p>`.source}
`;
}

/** The end of that part, and of the file. */
export function htmlEnd(page: ExportedPageCode | null): string {
  const scripts = page
    ? `</noscript>\n${dataElement(EXPORTED.highlighter, page.highlighter)}<script>${page.script}</script>`
    : "";
  return `</main>${scripts}</body></html>\n`;
}

/** A prompt in the list at the head of the page. */
export type ListedTurn = { turn: number; prompt: string };

/** Links to the prompts. A session of one or two needs none. */
export function promptList(turns: readonly ListedTurn[]): string {
  if (turns.length < 3) return "";
  const items = turns.map(
    ({ turn, prompt }) =>
      html`<li value="${turn}"><a href="#turn-${turn}">${visible(titleOfPrompt(prompt).split("\n", 1)[0] || "(no text)")}</a></li>\n`,
  );
  return html`<nav aria-label="Prompts"><ol>\n${items}</ol></nav>\n`.source;
}

/**
 * The parts of an export as markup, one after another. A call with agents stays open while its agents are written.
 * `isLogGone`: the session has no thread of its own, and every agent is read like one. `agentsLeftOut`: its agents are
 * not in the file, as was asked. `comments` stand below what they are about.
 */
export class HtmlWriter {
  readonly #reader: LogReader;
  readonly #agents: ExportedAgents;
  readonly #isLogGone: boolean;
  readonly #agentsLeftOut: boolean;
  readonly #comments: ExportedComments;
  /** The ends of the calls that are open. */
  readonly #ends: Html[] = [];

  constructor(
    reader: LogReader,
    agents: ExportedAgents,
    {
      isLogGone,
      agentsLeftOut,
      comments,
    }: { isLogGone: boolean; agentsLeftOut: boolean; comments: ExportedComments },
  ) {
    this.#reader = reader;
    this.#agents = agents;
    this.#isLogGone = isLogGone;
    this.#agentsLeftOut = agentsLeftOut;
    this.#comments = comments;
  }

  /** A part as markup; "" for a row that is not printed. */
  async toHtml(part: ThreadPart): Promise<string> {
    const written = await this.#partHtml(part);
    return written === null ? "" : html`${written}\n`.source;
  }

  async #partHtml(part: ThreadPart): Promise<HtmlValue> {
    switch (part.part) {
      case "row": {
        const { row, agent } = part;
        const none = { inside: [], elsewhere: [], leftOut: this.#agentsLeftOut };
        const written =
          row.kind === "tool"
            ? await callHtml(row, none, this.#reader)
            : await rowHtml(row, agent, this.#reader, this.#agents);
        const comments = this.#commentsAt(row);
        return comments === null ? written : [written, comments];
      }
      case "call": {
        const [before, behind] = await callHtml(
          part.row,
          { ...part, leftOut: this.#agentsLeftOut },
          this.#reader,
        );
        const comments = this.#commentsAt(part.row);
        this.#ends.push(comments === null ? behind : html`${behind}${comments}`);
        return before;
      }
      case "call-end":
        return this.#ends.pop() ?? null;
      case "apart":
        return this.#isLogGone ? null : html`<h2 class="part">More agents</h2>`;
      case "agent":
        return this.#isAlone(part.agent)
          ? html`<h1 class="part" id="agent-${part.agent.number}">${visible(titleOf(part.agent))}</h1>`
          : agentHead(part.agent, part.from);
      case "lost":
        return html`<p class="meta">The rest could not be read: its log is gone.</p>`;
      case "agent-end":
        return this.#isAlone(part.agent) ? null : html`</div></details>`;
      case "left-out":
        return html`<p class="meta">${formatLeftOut(part.agents)}</p>`;
    }
  }

  /** The comments at a row; `null` for none. */
  #commentsAt(row: Row): HtmlValue {
    const threads = this.#comments.takeAt(row);
    return threads.length === 0 ? null : threads.map((thread) => threadToHtml(thread));
  }

  #isAlone({ parentRecordId }: ExportedAgent): boolean {
    return this.#isLogGone && parentRecordId === null && this.#ends.length === 0;
  }
}

/** The comments at whose lines no row was written; "" for none. */
export function commentsElsewhere({ left }: ExportedComments): string {
  if (left.length === 0) return "";
  return html`<h2 class="part">${ELSEWHERE}</h2>${left.map((thread) => threadToHtml(thread, true))}\n`.source;
}

function titleOf({ agentId, type, name }: ExportedAgent): string {
  return [...new Set([`Agent ${agentId}`, type, name])].filter(Boolean).join(": ");
}

/** The start of an agent's thread, closed until a reader opens it. */
function agentHead(agent: ExportedAgent, from: AgentStart | null): Html {
  const { number, name, type, state } = agent;
  const tone = state === "failed" ? "err" : state === "done" || state === "unknown" ? "" : "warn";
  const [ending, ...facts] = agentFacts(agent);
  const start = from && (from.by ? `started by ${from.by.name}` : `started in turn ${from.turn}`);
  return html`<details class="agent" id="agent-${number}"><summary><b>${visible(name)}</b><span class="meta">${
    type !== null && html`<span>${visible(type)}</span>`
  }<span class="${tone}">${ending ?? ""}</span>${facts.map((one) => html`<span>${one}</span>`)}${
    start && html`<span>${visible(start)}</span>`
  }</span></summary><div class="thread">`;
}

async function rowHtml(
  row: Exclude<Row, ToolRow>,
  agent: ExportedAgent | null,
  reader: LogReader,
  agents: ExportedAgents,
): Promise<HtmlValue> {
  switch (row.kind) {
    case "turn":
      return turnHtml(row, agent, reader);
    case "text":
      return prose(await reader.whole(row.recordId, row.text));
    case "thinking":
      if (row.redacted) return html`<p class="meta">Thinking, redacted by the API</p>`;
      return row.text.text.trim() === ""
        ? null
        : folded("Thinking", prose(await reader.whole(row.recordId, row.text)));
    case "run":
      return html`<p class="meta"><b>${visible(row.server ?? row.name)}</b> ${visible(`${row.subject}: ${row.aside}`)}</p>`;
    case "agent-return":
      return folded(
        formatReturn(row, agents.get(row.agentId)?.name),
        prose(await reader.whole(row.recordId, row.text)),
      );
    case "compaction":
      return [
        html`<div class="rule">Compacted${row.preTokens !== null && ` ${formatCompact(row.preTokens)}${row.postTokens === null ? "" : ` → ${formatCompact(row.postTokens)}`} tokens`}</div>`,
        row.summary && folded("Summary", prose(await reader.whole(row.recordId, row.summary))),
      ];
    case "event": {
      const text = await reader.whole(row.recordId, row.text);
      const label = html`<span class="${row.level === "error" ? "err" : row.level === "warning" ? "warn" : ""}">${visible(row.label)}</span>`;
      return text.trim() === "" ? html`<p class="meta">${label}</p>` : folded(label, output(text));
    }
    case "context":
      return [
        row.text.text.trim() !== "" && folded(row.label, output(await reader.whole(row.recordId, row.text))),
        ...(await Promise.all(row.blobs.map((blob) => blobHtml(blob, reader)))),
      ];
    case "blob":
      return blobHtml(row.blob, reader);
    case "unknown":
      return folded(`Unknown record: ${row.type}`, output(row.text.text));
    case "unreadable":
      return html`<p class="err">Line ${row.line} is unreadable: ${visible(row.reason)}</p>`;
    // One branch is exported: forks mean nothing to a reader who has only this file.
    case "fork":
    case "bookkeeping":
      return null;
  }
}

async function turnHtml(row: TurnRow, agent: ExportedAgent | null, reader: LogReader): Promise<Html> {
  const numbers = [
    row.durationMs ? formatDuration(row.durationMs) : null,
    row.toolCalls > 0 ? formatPlural(row.toolCalls, "tool") : null,
    row.agents > 0 ? formatPlural(row.agents, "agent") : null,
    row.tokens > 0 ? `${formatCompact(row.tokens)} tokens` : null,
    row.usage ? formatCost(row.usage.cost.microUsd, row.usage.cost.unpricedTokens) : null,
  ];
  const facts = [row.atMs === null ? null : formatFullTime(row.atMs), ...(row.partial ? [] : numbers)];
  const images = await Promise.all(row.blobs.map((blob) => blobHtml(blob, reader)));
  // Only the session's own prompts are in the list at the head.
  const [begin, end] = agent
    ? [html`<p class="turn" role="heading" aria-level="3">`, html`</p>`]
    : [html`<h2 class="turn" id="turn-${row.turn}">`, html`</h2>`];
  return html`${begin}<b>${row.turn}</b><span>${facts.filter(Boolean).join(" · ")}${row.errors > 0 && html` · <span class="err">${formatPlural(row.errors, "error")}</span>`}${row.added > 0 && html` · <span class="plus">+${row.added}</span>`}${row.removed > 0 && html` <span class="minus">−${row.removed}</span>`}</span>${end}
<div class="prompt">${promptProse(await reader.whole(row.recordId, row.prompt))}${images}</div>`;
}

function folded(summary: HtmlValue, content: HtmlValue): Html {
  return html`<details><summary>${typeof summary === "string" ? visible(summary) : summary}</summary>${content}</details>`;
}
