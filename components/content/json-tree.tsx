import { ChevronDown, ChevronRight } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { formatCount, formatPlural } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import { useUnfolded } from "./row-state";
import { VisibleText } from "./text/visible-text";

const SHOWN_CHILDREN = 100;
const SHOWN_CHARACTERS = 2_000;

/** JSON as a tree that opens one level at a time, so that strings, lists and objects of any size stay cheap. */
export function JsonTree({ value, openLevels = 2 }: { value: unknown; openLevels?: number }) {
  return (
    <div className="overflow-x-auto font-mono text-11">
      <JsonNode path="" name={null} value={value} openLevels={openLevels} />
    </div>
  );
}

/** `path`: the names of the branches that it hangs from, and its own. */
type NodeProps<Value> = { path: string; name: string | null; value: Value };

function JsonNode({ value, openLevels, ...node }: NodeProps<unknown> & { openLevels: number }) {
  if (typeof value !== "object" || value === null) return <Leaf {...node} value={value} />;
  return <Branch {...node} value={value} openLevels={openLevels} />;
}

function Branch({ path, name, value, openLevels }: NodeProps<object> & { openLevels: number }) {
  const [open, setOpen] = useUnfolded(`branch ${path}`, openLevels > 0);
  const [shown, setShown] = useUnfolded(`children ${path}`, SHOWN_CHILDREN);
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  const size = isList ? formatPlural(keys.length, "item") : formatPlural(keys.length, "key");
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        data-unfolds={open ? undefined : "branch"}
        disabled={keys.length === 0}
        onClick={() => setOpen(!open)}
        className="flex max-w-full items-center gap-1 rounded-1 text-left whitespace-nowrap -outline-offset-2! hover:bg-raised pointer-coarse:min-h-6 pointer-coarse:min-w-6"
      >
        <span className="flex w-3 flex-none text-fg-3">
          {keys.length > 0 && <Icon of={open ? ChevronDown : ChevronRight} small />}
        </span>
        {name !== null && <Name>{name}</Name>}
        <span className="text-fg-3">
          {isList ? "[" : "{"}
          {!open && ` ${size} `}
          {(!open || keys.length === 0) && (isList ? "]" : "}")}
        </span>
      </button>
      {open && keys.length > 0 && (
        <div className="ml-1.5 border-l border-line pl-3">
          {keys.slice(0, shown).map((key) => (
            <JsonNode
              key={key}
              path={`${path}/${key}`}
              name={key}
              value={(value as Record<string, unknown>)[key]}
              openLevels={openLevels - 1}
            />
          ))}
          {keys.length > shown && (
            <button
              type="button"
              data-unfolds=""
              className="text-accent hover:underline"
              onClick={() => setShown(shown + SHOWN_CHILDREN * 5)}
            >
              {formatCount(keys.length - shown)} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Leaf({ path, name, value }: NodeProps<unknown>) {
  const [whole, setWhole] = useUnfolded(`leaf ${path}`, false);
  const text = typeof value === "string" ? value : String(value);
  const long = text.length > SHOWN_CHARACTERS && !whole;
  return (
    <div className="pl-4 break-words whitespace-pre-wrap">
      {name !== null && <Name>{name}</Name>}{" "}
      <span
        data-log={typeof value === "string" ? undefined : "none"}
        className={typeof value === "string" ? "text-a-green" : "text-a-magenta"}
      >
        <VisibleText
          text={typeof value === "string" ? quoted(long ? textStart(text, SHOWN_CHARACTERS) : text) : text}
        />
      </span>
      {long && (
        <button
          type="button"
          data-unfolds=""
          className="ml-1 text-accent hover:underline"
          onClick={() => setWhole(true)}
        >
          {formatCount(text.length - SHOWN_CHARACTERS)} more characters
        </button>
      )}
    </div>
  );
}

/** Newlines are kept as they are: values are shown for reading, not for copying. */
function quoted(text: string): string {
  return `"${text.replaceAll("\r", "\\r").replaceAll("\u001b", "\\u001b")}"`;
}

function Name({ children }: { children: string }) {
  return (
    <span data-log="none" className="text-a-blue">
      <VisibleText text={children} />:
    </span>
  );
}
