import { SEARCH_FILTERS } from "@/components/search/search-filters";
import { Kbd } from "@/components/ui/kbd";
import { printKey } from "@/components/ui/print-key";

/** The palette's keys and filters in one line. */
export function PaletteFoot({ all }: { all: string }) {
  return (
    <div className="flex h-7 flex-none items-center gap-4 overflow-hidden border-t border-line bg-panel px-3 text-11 whitespace-nowrap text-fg-2 max-sm:hidden">
      <Key keys={["ArrowUp", "ArrowDown"]}>move</Key>
      <Key keys={["Enter"]}>open</Key>
      <Key keys={["mod+enter"]}>in a new tab</Key>
      <Key keys={["⇧↵"]}>{all}</Key>
      <span className="flex-1" />
      <span className="truncate text-fg-3">
        {SEARCH_FILTERS.map(({ name }) => `${name}:`)
          .slice(0, 7)
          .join(" ")}
      </span>
    </div>
  );
}

function Key({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="flex flex-none items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>
          {key === "mod+enter" ? printKey("mod+enter").replace(/ENTER$/, "↵") : printKey(key)}
        </Kbd>
      ))}
      {children}
    </span>
  );
}
