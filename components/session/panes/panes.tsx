import { Fragment, useState } from "react";
import { ContextPane } from "@/components/session/context/context-pane";
import { Inspector } from "@/components/session/inspector/inspector";
import { type Pane, paneKey, parsePanes, withoutPanes, withPane } from "@/lib/client/panes";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import { AgentPane } from "./agent-pane";
import { FilesPane } from "./files-pane";
import { keepPaneSizes, loadPaneSizes, type PaneSizes, shareOf, withPart } from "./pane-sizes";
import { Splitter } from "./splitter";
import { StackSplitter } from "./stack-splitter";

/** What stands beside the thread, as the address lists it: agents in one column, facts about them in another. */
export function Panes({
  panes,
  onChange,
  sessionId,
  session,
  detail,
  onGo,
}: {
  panes: string | null;
  onChange: (panes: string | null) => void;
  sessionId: SessionId;
  session: SessionDetail | null;
  detail: Detail;
  onGo: (recordId: RecordId) => void;
}) {
  const [sizes, setSizes] = useState(loadPaneSizes);
  const listed = parsePanes(panes);
  const resize = (change: Partial<PaneSizes>) => {
    const next = { ...sizes, ...change };
    setSizes(next);
    keepPaneSizes(next);
  };
  const close = (pane: Pane) => onChange(withoutPanes(panes, (one) => paneKey(one) === paneKey(pane)));
  const show = (pane: Pane) => onChange(withPane(panes, pane));
  const columns = [
    {
      name: "agents",
      stack: "agents",
      label: "Width of the agents",
      shown: listed.filter(({ kind }) => kind === "agent"),
    },
    {
      stack: "facts",
      name: listed.some(({ kind }) => kind === "context") ? "context" : "facts",
      label: "Width of the facts",
      shown: listed.filter(({ kind }) => kind !== "agent"),
    },
  ] as const;
  const resizeStack = (stack: keyof PaneSizes["shares"], above: number, part: number) =>
    resize({ shares: { ...sizes.shares, [stack]: withPart(sizes.shares[stack], above, part) } });
  return columns.map(({ name, stack, label, shown }) =>
    shown.length === 0 ? null : (
      <div key={name} className="contents">
        <Splitter label={label} widthPx={sizes[name]} onResize={(px) => resize({ [name]: px })} />
        <div
          className="flex min-h-0 max-w-[60%] flex-none flex-col max-md:contents"
          style={{ width: sizes[name] }}
        >
          {shown.map((pane, index) => {
            const share = shareOf(sizes.shares[stack], index);
            const next = shareOf(sizes.shares[stack], index + 1);
            return (
              <Fragment key={pane.kind === "agent" ? paneKey(pane) : pane.kind}>
                <div
                  className="flex min-h-16 basis-0 flex-col *:min-h-0 *:flex-1 max-md:contents"
                  style={{ flexGrow: share }}
                >
                  {paneOf(pane)}
                </div>
                {index + 1 < shown.length && (
                  <StackSplitter
                    label={`Height of pane ${index + 1}`}
                    part={share / (share + next)}
                    onPart={(part) => resizeStack(stack, index, part)}
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
    const onClose = () => close(pane);
    switch (pane.kind) {
      case "agent":
        return <AgentPane agentId={pane.id} detail={detail} onClose={onClose} />;
      case "files":
        return (
          <FilesPane
            sessionId={sessionId}
            root={session?.project.path ?? null}
            onGo={onGo}
            onClose={onClose}
          />
        );
      case "record":
        return (
          <Inspector
            sessionId={sessionId}
            recordId={pane.id}
            onGo={onGo}
            onInspect={(id) => show({ kind: "record", id })}
            onContext={(id) => show({ kind: "context", id })}
            onClose={onClose}
          />
        );
      case "context":
        return (
          <ContextPane
            sessionId={sessionId}
            recordId={pane.id}
            onGo={onGo}
            onInspect={(id) => show({ kind: "record", id })}
            onClose={onClose}
          />
        );
    }
  }
}
