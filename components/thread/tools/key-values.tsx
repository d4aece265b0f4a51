import { JsonTree } from "@/components/content/json-tree";
import { VisibleText } from "@/components/content/text/visible-text";

/** Text longer than this, or of several lines, takes the whole width below its key. */
const LINE_CHARACTERS = 120;

/** An object as a table of keys and values; nested values as trees. Anything else is a tree. */
export function KeyValues({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <JsonTree value={value} openLevels={3} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <p className="text-12 text-fg-3">no input</p>;
  return (
    <dl className="grid grid-cols-[minmax(60px,150px)_minmax(0,1fr)] gap-x-3 font-mono text-code/5">
      {entries.map(([key, field]) => (
        <div key={key} className="col-span-2 grid grid-cols-subgrid">
          <dt className="truncate text-fg-3" title={key}>
            <VisibleText text={key} />
          </dt>
          <dd className={isLong(field) ? "col-span-2" : ""}>
            <Value value={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value === "object" && value !== null) return <JsonTree value={value} openLevels={1} />;
  if (typeof value !== "string") return <span className="text-a-magenta">{String(value)}</span>;
  return (
    <span className="[overflow-wrap:anywhere] whitespace-pre-wrap text-a-green">
      <VisibleText text={value.length > 20_000 ? `${value.slice(0, 20_000)}…` : value} />
    </span>
  );
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > LINE_CHARACTERS || value.includes("\n"));
}
