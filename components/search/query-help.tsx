import { SEARCH_FILTERS } from "./search-filters";

const EXAMPLES: readonly [query: string, does: string][] = [
  ["retry backoff", "both words, anywhere in one text"],
  ['"gives up after"', "these words in this order"],
  ["timeout -test", "the one without the other"],
  ["ENOENT OR EACCES", "either"],
  ["/retry\\w*\\(/", "a regular expression"],
];

/** The query language, where there is no query yet: examples that can be clicked, and the filters. */
export function QueryHelp({ onQuery }: { onQuery: (query: string) => void }) {
  return (
    <div tabIndex={-1} className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[640px] px-6 py-10 max-sm:px-3 max-sm:py-4">
        <h2 className="font-semibold">Search every session</h2>
        <p className="mt-1 text-fg-2">
          Prompts, answers, thinking, what tools were given and what they wrote, in the main thread and in
          agents. Capitals do not matter.
        </p>
        <List title="Words" entries={EXAMPLES} onQuery={onQuery} />
        <List
          title="Filters"
          entries={SEARCH_FILTERS.map(({ name, does, values }) => [
            `${name}:${values[0] ?? ""}`,
            values.length > 1 ? `${does}: ${values.slice(0, 4).join(", ")}` : does,
          ])}
          onQuery={onQuery}
        />
      </div>
    </div>
  );
}

function List({
  title,
  entries,
  onQuery,
}: {
  title: string;
  entries: readonly (readonly [query: string, does: string])[];
  onQuery: (query: string) => void;
}) {
  return (
    <>
      <h3 className="mt-5 mb-1 text-11 text-fg-3">{title}</h3>
      <ul className="border-t border-line">
        {entries.map(([query, does]) => (
          <li key={query}>
            <button
              type="button"
              onClick={() => onQuery(query)}
              className="grid min-h-7 w-full grid-cols-[calc(168px*var(--u))_minmax(0,1fr)] items-center gap-x-3 border-b border-line px-1 text-left text-12 -outline-offset-2! hover:bg-raised max-sm:min-h-9"
            >
              <code className="truncate font-mono text-code">{query}</code>
              <span className="truncate text-fg-2">{does}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
