import { clsx } from "clsx";
import { type ReactNode, useMemo, useState } from "react";
import { ShowMore, useSteps } from "@/components/content/code/code-line";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { useThreadActions } from "@/components/content/row-actions";
import { useUnfolded } from "@/components/content/row-state";
import { LookButtons } from "@/components/content/text/look-buttons";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedCall, SectionLine, type ToolViewProps } from "@/components/thread/opened-block";
import { formatCount } from "@/lib/format/format";
import { fieldsOf, isObject, parseJson } from "@/lib/format/json-values";
import { textStart } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { CallDetail } from "@/lib/wire/record";
import { OutputBlocks } from "./output-blocks";
import { wholeOutput } from "./whole-output";

const LABELS: Record<DataLook, string> = { table: "Table", tree: "Keys", raw: "Raw" };

/** A call whose input and result are data: the input by key, the result as a table or a tree. */
export function CallData({ row, call, facts }: ToolViewProps & { facts?: ReactNode }) {
  const { sessionId } = useThreadActions();
  const data = useMemo(() => resultData(call), [call]);
  const looks = looksOf(data?.value ?? call.input);
  const [chosen, setLook] = useState<DataLook | null>(null);
  const look = chosen ?? looks[0] ?? "tree";
  const hasInput = Object.keys(fieldsOf(call.input)).length > 0;
  return (
    <OpenedCall
      row={row}
      facts={facts}
      actions={
        (hasInput || data !== null) && (
          <LookButtons
            looks={looks.map((value) => ({ value, label: LABELS[value] }))}
            look={look}
            onChange={setLook}
          />
        )
      }
      copy={{
        label: data === null ? "Copy output" : "Copy data",
        text: () => data?.text ?? wholeOutput(sessionId, call),
      }}
      wrappable
    >
      {hasInput &&
        (look === "raw" ? (
          <div data-log="input">
            <OutputText text={JSON.stringify(call.input, null, 2)} />
          </div>
        ) : (
          <div data-log="input" className="px-3 py-1.5">
            <KeyValues value={call.input} />
          </div>
        ))}
      {call.results.length > 0 && hasInput && <SectionLine>result</SectionLine>}
      {data === null ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          <div data-log="output">
            {look === "raw" ? <OutputText text={data.text} /> : <DataView value={data.value} look={look} />}
          </div>
          <OutputBlocks row={row} call={call} only="media" />
        </>
      )}
    </OpenedCall>
  );
}

/** Data in a result, and its text as it came. */
type ResultData = { value: object; text: string };

/** What a result holds besides words: what an MCP server sent as such, or text that is JSON. */
function resultData(call: CallDetail): ResultData | null {
  const [result] = call.results;
  if (!result || result.isError) return null;
  const texts = result.blocks.filter((block) => block.kind === "text");
  const text = texts.length === 1 && texts[0] && !texts[0].text.cut ? texts[0].text.text : "";
  const { content } = result;
  if (typeof content !== "object" || content === null) {
    const value = jsonIn(text);
    return value && { value, text };
  }
  const own = JSON.stringify(content, null, 2);
  // Servers send the same as text too, in which numbers of any length have all of their digits.
  const parsed = parsedJson(text);
  if (parsed && JSON.stringify(parsed, null, 2) === own) return { value: jsonIn(text) ?? content, text };
  return { value: content, text: own };
}

const CELL_CHARACTERS = 300;

/** A list of like objects: a column a field, numbers at the right. */
export function DataTable({ table: { columns, rows } }: { table: TabularData }) {
  const steps = useSteps("table", rows.length, 100);
  const numeric = new Set(
    columns.filter((column) => rows.every((row) => row[column] == null || isNumber(row[column]))),
  );
  return (
    <>
      <div tabIndex={0} className="overflow-x-auto">
        <table className="min-w-[min(100%,560px)] border-collapse text-12/[22px] tabular-nums">
          <thead data-log="none">
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={clsx(
                    "border-b border-line-2 px-3 text-11/[22px] font-normal text-fg-3",
                    numeric.has(column) ? "text-right" : "text-left",
                  )}
                >
                  <VisibleText text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, steps.shown).map((row, index) => (
              <tr key={index} className="border-t border-line first:border-t-0">
                {columns.map((column) => (
                  <td
                    key={column}
                    className={clsx(
                      "max-w-80 truncate px-3 whitespace-nowrap",
                      numeric.has(column) && "text-right",
                    )}
                  >
                    <Cell value={row[column]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore steps={steps} unit="rows" />
    </>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return null;
  if (value === null)
    return (
      <span data-log="none" className="text-fg-3">
        null
      </span>
    );
  return <VisibleText text={textStart(cellText(value), CELL_CHARACTERS)} />;
}

function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return String(value);
  return JSON.stringify(value, (_, field) => (typeof field === "bigint" ? String(field) : field)) ?? "";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

type DataLook = "table" | "tree" | "raw";

/** How a value can be looked at, the best way first. */
function looksOf(value: unknown): DataLook[] {
  return tableIn(value) ? ["table", "tree", "raw"] : ["tree", "raw"];
}

/** A value with structure, as a table or by its keys. */
function DataView({ value, look }: { value: unknown; look: "table" | "tree" }) {
  const table = look === "table" ? tableIn(value) : null;
  if (table) {
    const beside = Array.isArray(value) ? [] : Object.entries(value as object).filter(isNoList);
    return (
      <>
        {beside.length > 0 && (
          <div className="border-b border-line px-3 py-1.5">
            <KeyValues value={Object.fromEntries(beside)} />
          </div>
        )}
        <DataTable table={table} />
      </>
    );
  }
  return (
    <div className="px-3 py-1.5">
      {Array.isArray(value) ? <JsonTree value={value} openLevels={2} /> : <KeyValues value={value} />}
    </div>
  );
}

function isNoList([, field]: [string, unknown]): boolean {
  return !Array.isArray(field);
}

/** Text longer than this, or of several lines, takes the whole width below its key. */
const LINE_CHARACTERS = 120;

/** An object as a table of keys and values; nested values as trees. Anything else is a tree. */
export function KeyValues({ value }: { value: unknown }) {
  if (!isObject(value)) return <JsonTree value={value} openLevels={3} />;
  const entries = Object.entries(value);
  if (entries.length === 0)
    return (
      <p data-log="none" className="text-12 text-fg-3">
        no input
      </p>
    );
  return (
    <dl className="grid grid-cols-[minmax(60px,150px)_minmax(0,1fr)] gap-x-3 font-mono text-code/5">
      {entries.map(([key, field]) => (
        <div key={key} className="col-span-2 grid grid-cols-subgrid">
          <dt data-log="none" className="truncate text-fg-3" title={labelHidden(key)}>
            <VisibleText text={key} />
          </dt>
          <dd className={isLong(field) ? "col-span-2" : ""}>
            <Value name={key} value={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** So much of a text is drawn before it is asked for. */
const FIELD_CHARACTERS = 20_000;

function Value({ name, value }: { name: string; value: unknown }) {
  const [shown, setShown] = useUnfolded(`field ${name}`, false);
  if (typeof value === "object" && value !== null) return <JsonTree value={value} openLevels={1} />;
  if (typeof value !== "string")
    return (
      <span data-log="none" className="text-a-magenta">
        {String(value)}
      </span>
    );
  const left = shown ? 0 : value.length - FIELD_CHARACTERS;
  return (
    <span className="[overflow-wrap:anywhere] whitespace-pre-wrap text-a-green">
      <VisibleText text={left > 0 ? textStart(value, FIELD_CHARACTERS) : value} />
      {left > 0 && (
        <button
          type="button"
          data-log="none"
          data-unfolds=""
          className="block text-12 text-accent hover:underline"
          onClick={() => setShown(true)}
        >
          Show {formatCount(left)} more characters
        </button>
      )}
    </span>
  );
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > LINE_CHARACTERS || value.includes("\n"));
}

/** A longer text is shown as it is: parsing it would hold up the page. */
const PARSED_CHARACTERS = 500_000;

/**
 * The object or list that a result's text spells, `null` for any other text. A number that has more digits than one
 * of JavaScript's can hold is a `bigint`, or where it is no whole number, its source.
 */
export function jsonIn(text: string): object | null {
  const value = parsedJson(text);
  if (value === null) return null;
  let mark = "number ";
  while (text.includes(mark)) mark += "n";
  // `JSON.parse` gives a number's source to its reviver in newer browsers alone.
  const marked = text.replace(TEXT_OR_NUMBER, (token) =>
    token[0] === '"' || isExact(token) ? token : `"${mark}${token}"`,
  );
  if (marked === text) return value;
  return JSON.parse(marked, (_, field: unknown) => {
    if (typeof field !== "string" || !field.startsWith(mark)) return field;
    const source = field.slice(mark.length);
    return /^-?\d+$/.test(source) ? BigInt(source) : source;
  });
}

const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Whether a number's digits are still the same once it has been parsed. */
function isExact(source: string): boolean {
  const digits = (number: string) =>
    number
      .replace(/e.*$/i, "")
      .replace(/\D/g, "")
      .replace(/^0+|0+$/g, "");
  return digits(source) === digits(String(Number(source)));
}

function parsedJson(text: string): object | null {
  const first = text.trimStart()[0];
  if ((first !== "{" && first !== "[") || text.length > PARSED_CHARACTERS) return null;
  const value = parseJson(text);
  return typeof value === "object" ? value : null;
}

type TabularData = { columns: string[]; rows: readonly Record<string, unknown>[] };

/** More columns than a page has room for are left to the tree. */
const MAX_COLUMNS = 12;

/**
 * A list of like objects as a table: the value itself, or the only list in it (`{items: […]}`). `null` where
 * the items have little in common, or nest so that a cell could not hold them.
 */
export function tableIn(value: unknown): TabularData | null {
  const list = listIn(value);
  if (!list || list.length === 0 || !list.every(isObject)) return null;
  const uses = new Map<string, number>();
  for (const row of list.slice(0, 100)) {
    for (const key of Object.keys(row)) uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  if (uses.size === 0 || uses.size > MAX_COLUMNS) return null;
  const shared = [...uses.values()].filter((count) => count * 2 >= Math.min(100, list.length)).length;
  return shared === 0 ? null : { columns: [...uses.keys()], rows: list };
}

function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  const lists = Object.values(value).filter(Array.isArray);
  const [only] = lists;
  return lists.length === 1 && only ? only : null;
}

/** A known tool that says all it does in its fields. */
export function PlainToolView({ row, call }: ToolViewProps) {
  return <CallData row={row} call={call} facts={<span className="font-mono">{row.name}</span>} />;
}
