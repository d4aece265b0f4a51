import { Braces, Link, WrapText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { OpenedPlaceContext, PlaceActionsContext } from "@/components/content/line-selection";
import { useThreadActions } from "@/components/content/row-actions";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { usePreferences } from "@/lib/client/preferences";
import type { Row } from "@/lib/wire/rows";
import { usePlaceOf } from "./use-place-of";

/** What an opened row shows, in a frame: facts left, actions right, content below. */
export function OpenedBlock({
  row,
  facts,
  actions,
  copy,
  path,
  wrappable = false,
  footer,
  children,
}: {
  row: Row;
  facts: ReactNode;
  actions?: ReactNode;
  /** What the copy button copies. */
  copy?: { label: string; text: string | (() => string | Promise<string>) };
  /** The file whose lines are shown, for `path:line`. */
  path?: string;
  /** Lines may be long: offers to wrap them. */
  wrappable?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const { copyLink, inspect } = useThreadActions();
  const preferred = usePreferences().wrap;
  const [chosen, setWrap] = useState<boolean | null>(null);
  const wrap = chosen ?? preferred;
  const { place, actions: placeActions, suffix } = usePlaceOf(row);
  const { lines } = place;
  return (
    <div
      data-wrap={wrappable ? wrap : undefined}
      className="group/opened mr-3 mb-2 ml-6 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:ml-0"
    >
      <div className="flex h-6 items-center gap-3 border-b border-line bg-panel pr-1 pl-2 text-11 whitespace-nowrap text-fg-2 tabular-nums">
        <div className="flex min-w-0 flex-1 items-center gap-3 overflow-hidden">{facts}</div>
        {lines && (
          <span className="flex flex-none items-center gap-1 text-fg">
            {lines.to > lines.from ? `lines ${lines.from}–${lines.to}` : `line ${lines.from}`}
            {path && (
              <CopyButton
                className="h-5"
                text={`${path}:${lines.from}`}
                label={`Copy ${path}:${lines.from}`}
              />
            )}
            <IconButton
              icon={Link}
              small
              className="h-5"
              label="Copy link to these lines"
              onClick={() => copyLink(row, suffix)}
            />
          </span>
        )}
        {actions}
        <span className="flex flex-none items-center">
          {wrappable && (
            <IconButton
              icon={WrapText}
              small
              className="h-5"
              label={wrap ? "Do not wrap lines" : "Wrap lines"}
              pressed={wrap}
              onClick={() => setWrap(!wrap)}
            />
          )}
          <IconButton
            icon={Braces}
            small
            className="h-5 max-sm:hidden"
            label="Show the record"
            onClick={() => inspect(row.recordId)}
          />
          {copy && <CopyButton className="h-5" text={copy.text} label={copy.label} />}
          <IconButton
            icon={Link}
            small
            className="h-5"
            label="Copy link to this row"
            onClick={() => copyLink(row)}
          />
        </span>
      </div>
      <PlaceActionsContext.Provider value={placeActions}>
        <OpenedPlaceContext.Provider value={place}>{children}</OpenedPlaceContext.Provider>
      </PlaceActionsContext.Provider>
      {footer && (
        <div className="flex min-h-6 items-center gap-3 border-t border-line bg-panel px-2 text-11 text-fg-2 tabular-nums">
          {footer}
        </div>
      )}
    </div>
  );
}
