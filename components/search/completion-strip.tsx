import { Kbd } from "@/components/ui/kbd";
import { cx } from "@/lib/client/class-names";
import type { Completion } from "./search-completion";

/** Ways to go on with a query: Tab takes the first, a click any. */
export function CompletionStrip({
  offers,
  onAccept,
  className,
}: {
  offers: readonly Completion[];
  onAccept: (completion: Completion) => void;
  className?: string;
}) {
  const [first] = offers;
  if (!first) return null;
  return (
    <div
      className={cx(
        "flex h-tool flex-none items-center gap-2 overflow-hidden border-b border-line px-3 text-12 whitespace-nowrap",
        className,
      )}
    >
      <span className="text-fg-3">Complete</span>
      {offers.map((offer, index) => (
        <button
          key={offer.text}
          type="button"
          tabIndex={-1}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(offer)}
          className={cx(
            "flex flex-none items-center gap-1.5 rounded-1 bg-raised px-1.5 font-mono text-12 leading-[18px]",
            index === 0 && "outline-2 outline-accent",
          )}
        >
          {offer.text.trimEnd()}
          {offer.aside && <span className="font-sans text-11 text-fg-3">{offer.aside}</span>}
        </button>
      ))}
      <span className="flex-1" />
      <Kbd>Tab</Kbd>
      <span role="status" className="sr-only">
        Tab completes {first.text}
      </span>
    </div>
  );
}
