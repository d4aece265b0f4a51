import { formatBytes, formatClock, formatDuration } from "@/lib/format/format";
import { asArray, asObject, asString } from "@/lib/log/records/json";
import { plainOutput, withoutAgentFrame, withoutErrorTag } from "@/lib/markup/plain-output";
import { startedTask } from "@/lib/tools/started-task";
import { startsAgents, toolNamed } from "@/lib/tools/tools";
import type { CallDetail, OutputBlock } from "@/lib/wire/record";
import type { BlobRef, ToolRow } from "@/lib/wire/rows";
import { formatAgents, formatNoAgents } from "../agent-words";
import type { ExportedAgent } from "../exported-threads";
import { diff } from "./diff";
import { type Html, type HtmlValue, html, visible } from "./html";
import type { LogReader } from "./log-reader";
import { output, plain } from "./output";
import { prose } from "./prose";

/** A longer diff is folded like any other call. */
const MAX_OPEN_DIFF_LINES = 120;

/**
 * The agents of a call: those whose threads are inside of it, and those elsewhere in the file. `leftOut`: there are none in
 * the file, as was asked.
 */
export type CallAgents = {
  inside: readonly ExportedAgent[];
  elsewhere: readonly ExportedAgent[];
  leftOut: boolean;
};

/**
 * A tool call: one line, and folded below it its input and its output. Between the two parts are its agents' threads.
 */
export async function callHtml(
  row: ToolRow,
  agents: CallAgents,
  reader: LogReader,
): Promise<[before: Html, behind: Html]> {
  const call = await reader.call(row.recordId, row.block);
  const summary = html`<summary><b>${visible(row.server ?? row.name)}</b><code>${visible(row.server ? `${row.name} ${row.subject}` : row.subject)}${row.aside && html` <span class="meta">${visible(row.aside)}</span>`}</code>${facts(row)}</summary>`;
  const [input, result] = call
    ? await bodyOf(row, call, agents, reader)
    : [html`<p class="meta">The call could not be read.</p>`, null];
  const changed = (call?.diffs ?? []).reduce((sum, one) => sum + one.added + one.removed, 0);
  const isOpen = call && (row.state === "error" || (changed > 0 && changed <= MAX_OPEN_DIFF_LINES));
  const begin = isOpen ? html`<details class="call" open>` : html`<details class="call">`;
  const links = agents.elsewhere.map(
    ({ number, name }) =>
      html`<p class="meta">What it did: <a href="#agent-${number}">${visible(name)}</a></p>`,
  );
  return [html`${begin}${summary}<div class="body">${input}${links}`, html`${result}</div></details>\n`];
}

const TONES: Partial<Record<ToolRow["state"], string>> = {
  error: "err",
  "timed-out": "err",
  denied: "warn",
  interrupted: "warn",
  running: "warn",
};

function facts(row: ToolRow): Html {
  const { result, state, added, removed, durationMs, atMs } = row;
  // An agent's time is its own, also if its call only started it.
  const time = row.agent === null ? durationMs !== null && formatDuration(durationMs) : formatAgents(row);
  return html`<span class="meta">${[
    result ? html`<span class="${TONES[state] ?? ""}">${visible(result)}</span>` : null,
    added ? html`<span class="plus">+${added}</span>` : null,
    removed ? html`<span class="minus">−${removed}</span>` : null,
    time ? html`<span>${time}</span>` : null,
    atMs === null ? null : html`<span>${formatClock(atMs)}</span>`,
  ]}</span>`;
}

async function bodyOf(
  row: ToolRow,
  call: CallDetail,
  { inside, leftOut }: CallAgents,
  reader: LogReader,
): Promise<[input: HtmlValue, result: HtmlValue]> {
  const failed = call.results.some(({ isError }) => isError);
  if (call.diffs.length > 0 && !failed) {
    const diffs = call.diffs.map((one) =>
      diff(one, call.diffs.length > 1 || !one.path.endsWith(row.subject)),
    );
    return [null, diffs];
  }
  const [only] = inside.length === 1 ? inside : [];
  const isTold = only !== undefined && (await reader.beginsWithPrompt(only.agentId));
  const [isCommand, input] = inputOf(row, call, isTold);
  const missing = formatNoAgents(row, leftOut);
  const gone = missing && html`<p class="meta">${missing}</p>`;
  if (wasLaunched(call))
    return [[input, gone], html`<p class="meta">Started in the background; the answer arrived later.</p>`];
  const results = await Promise.all(call.results.map((result) => resultOf(result, isCommand, row, reader)));
  const none = row.state === "running" ? "No result yet." : "The log has no result for this call.";
  return [
    [input, gone],
    [
      ...results,
      call.results.length === 0 && html`<p class="meta">${none}</p>`,
      call.partial && output(call.partial.text),
      call.results.length > 0 && results.every((one) => one === null) && html`<p class="meta">no output</p>`,
    ],
  ];
}

/** From 2.1.330 on an agent runs in the background: the text of its call's result is for the model alone. */
function wasLaunched({ results: [result] }: CallDetail): boolean {
  const structured = asObject(result?.structured);
  if (structured?.isAsync === true || structured?.status === "async_launched") return true;
  const text = result?.blocks.find((block) => block.kind === "text")?.text.text;
  return startedTask(text ?? "")?.kind === "agent";
}

/** Fields that are sentences or documents, by the names that their tools give them. */
const PROSE_FIELDS = new Set(["prompt", "plan", "description"]);

/** The call's input, and whether that is a command. */
function inputOf(
  row: ToolRow,
  call: CallDetail,
  promptIsTold: boolean,
): [isCommand: boolean, input: HtmlValue] {
  const input = asObject(call.input) ?? {};
  const command = asString(input.command);
  const tool = row.server === null ? toolNamed(row.name) : null;
  if (tool?.family === "shell" && command !== null) return [true, html`<pre>${visible(command)}</pre>`];
  if (tool?.files === "reads") return [false, null];
  const todos = asArray(input.todos).map(asObject);
  if (tool?.family === "tasks" && todos.length > 0) return [false, todoList(todos)];
  const isAgent = tool !== null && startsAgents(tool);
  const fields = Object.entries(input).filter(
    ([name, value]) =>
      !(promptIsTold && name === "prompt") && !(isAgent && (value === row.subject || value === row.aside)),
  );
  // The line above shows it already.
  if (fields.length === 0 || (fields.length === 1 && fields[0]?.[1] === row.subject)) return [false, null];
  return [
    false,
    html`<dl>${fields.map(([name, value]) => html`<dt>${visible(name)}</dt><dd>${fieldValue(name, value)}</dd>`)}</dl>`,
  ];
}

function fieldValue(name: string, value: unknown): HtmlValue {
  if (typeof value === "string") {
    if (PROSE_FIELDS.has(name)) return prose(value);
    return value.includes("\n") || value.length > 120 ? plain(value) : visible(value);
  }
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.includes("\n") ? plain(text) : visible(text);
}

function todoList(todos: readonly ReturnType<typeof asObject>[]): Html {
  return html`<ul>${todos.map((todo) => {
    const state = asString(todo?.status);
    const box = state === "completed" ? "☑" : state === "in_progress" ? "◐" : "☐";
    return html`<li class="task">${box} ${visible(asString(todo?.content) ?? "")}</li>`;
  })}</ul>`;
}

type CallResult = CallDetail["results"][number];

async function resultOf(
  { blocks, isError }: CallResult,
  isCommand: boolean,
  row: ToolRow,
  reader: LogReader,
): Promise<HtmlValue> {
  const kept = blocks.find((block) => block.kind === "blob" && block.blob.kind === "output");
  const whole = kept?.kind === "blob" ? await reader.keptOutput(kept.blob) : null;
  const parts: HtmlValue[] = [];
  for (const block of blocks) {
    if (block.kind === "text" && whole !== null) continue;
    parts.push(await blockHtml(block, { isError, isCommand }, row, whole, reader));
  }
  const shown = parts.filter((part) => part !== null);
  return shown.length > 0 ? shown : null;
}

async function blockHtml(
  block: OutputBlock,
  { isError, isCommand }: { isError: boolean; isCommand: boolean },
  row: ToolRow,
  kept: string | null,
  reader: LogReader,
): Promise<HtmlValue> {
  if (block.kind === "other") return plain(JSON.stringify(block.json, null, 2) ?? block.type);
  if (block.kind === "blob") {
    return block.blob.kind === "output" && kept !== null ? output(kept) : blobHtml(block.blob, reader);
  }
  const { text, cut, tail, lines } = block.text;
  // A failed command's output keeps its own colours.
  const isRed = isError && !isCommand;
  const printed = plainOutput(withoutErrorTag(text, isRed), { isKept: false, isError });
  // An agent answers in Markdown.
  if (row.agent !== null && !isError && !cut) return prose(withoutAgentFrame(printed));
  return output(printed, { isError: isRed, rest: cut ? { tail: tail ?? "", lines: lines ?? 0 } : null });
}

/** An image, or a description of one that cannot be shown. */
export async function blobHtml(blob: BlobRef, reader: LogReader): Promise<Html> {
  const source = await reader.image(blob);
  const name = [
    blob.kind === "image" ? "Image" : blob.kind === "document" ? "Document" : "Output in a file",
    blob.name,
    blob.bytes === null ? null : formatBytes(blob.bytes),
  ]
    .filter(Boolean)
    .join(" · ");
  return source ? html`<img src="${source}" alt="${name}">` : html`<p class="meta">${visible(name)}</p>`;
}
