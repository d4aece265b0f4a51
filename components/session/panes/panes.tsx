import { Fragment, type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { ContextPane } from "@/components/session/context/context-pane";
import { Inspector } from "@/components/session/inspector/inspector";
import { FileList } from "@/components/session/outline/outline";
import { useSessionPage } from "@/components/session/session-store";
import { type Pane, parsePanes } from "@/lib/client/session-url";
import { AgentPane, PaneFrame } from "./agent-pane";
import {
  keepPaneSizes,
  LEAST_PANE_PX,
  LEAST_SHARE,
  loadPaneSizes,
  MOST_PANE_PX,
  type PaneSizes,
  paneName,
  shareOf,
  withPart,
} from "./pane-sizes";

/** What stands beside the thread, as the address lists it: agents in one column, facts about them in another. */
export function Panes() {
  const { sessionId, url, choice, store } = useSessionPage();
  const [sizes, setSizes] = useState(loadPaneSizes);
  const listed = parsePanes(url.panes);
  const newest = useRef(sizes);
  const resize = (change: Partial<PaneSizes>) => {
    newest.current = { ...newest.current, ...change };
    setSizes(newest.current);
  };
  // When an edge has been let go of, not with every pixel that it moves.
  const keep = () => keepPaneSizes(newest.current);
  const columns = [
    {
      name: "agents",
      label: "Width of the agents",
      shown: listed.filter(({ kind }) => kind === "agent"),
    },
    {
      name: listed.some(({ kind }) => kind === "context") ? "context" : "facts",
      label: "Width of the facts",
      shown: listed.filter(({ kind }) => kind !== "agent"),
    },
  ] as const;
  return columns.map(({ name, label, shown }) =>
    shown.length === 0 ? null : (
      <div key={name} className="contents">
        <Splitter
          label={label}
          widthPx={sizes[name]}
          onResize={(px) => resize({ [name]: px })}
          onEnd={keep}
        />
        <div
          className="flex min-h-0 max-w-[60%] flex-none flex-col max-md:contents"
          style={{ width: sizes[name] }}
        >
          {shown.map((pane, index) => {
            const above = paneName(pane);
            const share = shareOf(sizes.shares, above);
            const next = shown[index + 1];
            const below = next === undefined ? null : paneName(next);
            return (
              <Fragment key={above}>
                <div
                  className="flex min-h-16 basis-0 flex-col *:min-h-0 *:flex-1 max-md:contents"
                  style={{ flexGrow: share }}
                >
                  {paneOf(pane)}
                </div>
                {below !== null && (
                  <StackSplitter
                    label={`Height of pane ${index + 1}`}
                    part={share / (share + shareOf(sizes.shares, below))}
                    onPart={(part) => resize({ shares: withPart(newest.current.shares, above, below, part) })}
                    onEnd={keep}
                  />
                )}
              </Fragment>
            );
          })}
        </div>
      </div>
    ),
  );

  function paneOf(pane: Pane) {
    const onClose = () => store.closePane(pane);
    switch (pane.kind) {
      case "agent":
        return <AgentPane agentId={pane.id} detail={choice.detail} onClose={onClose} />;
      case "files":
        return <FilesPane onClose={onClose} />;
      case "record":
        return (
          <Inspector
            sessionId={sessionId}
            recordId={pane.id}
            onGo={store.goToRecord}
            onInspect={store.inspect}
            onContext={store.rowActions.showContext}
            onClose={onClose}
          />
        );
      case "context":
        return (
          <ContextPane
            sessionId={sessionId}
            recordId={pane.id}
            onGo={store.goToRecord}
            onInspect={store.inspect}
            onClose={onClose}
          />
        );
    }
  }
}

const STEP_PX = 24;

/** The edge left of a column of panes: drag it, or move it with the arrow keys. */
export function Splitter({
  label,
  widthPx,
  onResize,
  onEnd,
}: {
  label: string;
  widthPx: number;
  onResize: (px: number) => void;
  /** The edge has come to rest. */
  onEnd: () => void;
}) {
  const begun = useRef<{ x: number; widthPx: number } | null>(null);
  const resize = (px: number) => onResize(Math.round(Math.min(MOST_PANE_PX, Math.max(LEAST_PANE_PX, px))));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    resize(widthPx + by);
    onEnd();
  };
  const end = () => {
    if (begun.current) onEnd();
    begun.current = null;
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (begun.current) resize(begun.current.widthPx + begun.current.x - clientX);
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={widthPx}
      aria-valuemin={LEAST_PANE_PX}
      aria-valuemax={MOST_PANE_PX}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, widthPx };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      className="relative z-3 -mr-px w-px flex-none cursor-col-resize touch-none bg-line-2 before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}

const STEP = 0.05;

/** The edge between two panes of a column: drag it, or move it with the arrow keys; twice pressed halves. */
export function StackSplitter({
  label,
  part,
  onPart,
  onEnd,
}: {
  label: string;
  /** How much of the height of both the upper one has. */
  part: number;
  onPart: (part: number) => void;
  /** The edge has come to rest. */
  onEnd: () => void;
}) {
  const begun = useRef<{ y: number; part: number; bothPx: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onPart(part + by);
    onEnd();
  };
  const onPointerDown = ({ currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>) => {
    currentTarget.setPointerCapture(pointerId);
    const heightOf = (element: Element | null) => element?.getBoundingClientRect().height ?? 0;
    const bothPx =
      heightOf(currentTarget.previousElementSibling) + heightOf(currentTarget.nextElementSibling);
    begun.current = { y: clientY, part, bothPx };
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    const start = begun.current;
    if (start && start.bothPx > 0) onPart(start.part + (clientY - start.y) / start.bothPx);
  };
  const end = () => {
    if (begun.current) onEnd();
    begun.current = null;
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={LEAST_SHARE * 100}
      aria-valuemax={100 - LEAST_SHARE * 100}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => {
        onPart(0.5);
        onEnd();
      }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      className="relative z-3 -mt-px h-px flex-none cursor-row-resize touch-none bg-line-2 before:absolute before:inset-x-0 before:-inset-y-1 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}

/** The files that the session changed. */
function FilesPane({ onClose }: { onClose: () => void }) {
  const { store } = useSessionPage();
  return (
    <PaneFrame
      label="Files"
      onClose={onClose}
      head={<span className="font-semibold">Files of the session</span>}
    >
      <FileList onGo={store.goToRecord} />
    </PaneFrame>
  );
}
