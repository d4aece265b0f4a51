"use client";

import { BellRing } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { CheckField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Link, PlainLink } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { putEntry } from "@/lib/client/address/history-entry";
import { sessionOfPath } from "@/lib/client/address/session-url";
import { clearFired, playSound, setNotifyRules, useFired, useNotifyRules } from "./notify";
import { callQueryProblem, type NotifyRules } from "./notify-rules";

/** Settings for this browser's notifications about running sessions, and the list of past ones. */
export function NotificationsDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const rules = useNotifyRules();
  const set = async (change: Partial<NotifyRules>) => {
    if (!(await setNotifyRules(change))) toast("The browser blocks notifications", "err");
  };
  const check = (name: "waits" | "ends" | "errors" | "env" | "sound", label: ReactNode) => (
    <CheckField checked={rules[name]} onChange={(on) => void set({ [name]: on })}>
      {label}
    </CheckField>
  );
  return (
    <Dialog
      title="Notifications"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <span>
          Shown by this browser while any page of Backscroll is open in it, also in the background. Agents
          count, too.
        </span>
      }
    >
      <section aria-label="Tell me when a running session" className="grid gap-2 p-4">
        <h3 className="text-11 text-fg-2">Tell me when a running session</h3>
        {check("waits", "waits for me, to answer or to allow something")}
        {check("ends", "has ended, or stopped midway")}
        {check("errors", "has a call that fails")}
        {check(
          "env",
          <>
            names a <code className="font-mono text-code">.env</code> file in a call
          </>,
        )}
        <CallRule key={rules.calls} calls={rules.calls} onChange={(calls) => void set({ calls })} />
        <span className="flex items-center gap-2 pt-1">
          {check("sound", "with a short sound")}
          <Button kind="quiet" onClick={playSound}>
            Play
          </Button>
        </span>
      </section>
      <FiredList onGo={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** The query for calls to notify about. It takes effect when the field is left, or with Enter. */
function CallRule({ calls, onChange }: { calls: string; onChange: (calls: string) => void }) {
  const [typed, setTyped] = useState(calls);
  const id = useId();
  const problem = callQueryProblem(typed);
  const keep = () => {
    if (problem === null && typed.trim() !== calls) onChange(typed.trim());
  };
  return (
    <form
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <label htmlFor={id}>makes a call that this finds:</label>
        <input
          id={id}
          value={typed}
          maxLength={200}
          spellCheck={false}
          placeholder="tool:Bash push"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={keep}
          className="h-control min-w-0 flex-1 rounded-2 border border-line-3 bg-bg px-2 font-mono text-code placeholder:text-fg-3"
        />
      </span>
      {/* Always there, so that screen readers announce what appears in it. */}
      <span id={`${id}-problem`} role="status" className="text-12 text-err">
        {problem}
      </span>
    </form>
  );
}

/**
 * A link to a session's end, also from its own page, which is loaded again for it: otherwise it would stay where it is.
 */
function SessionEnd({
  sessionId,
  onGo,
  children,
}: {
  sessionId: string;
  onGo: () => void;
  children: ReactNode;
}) {
  const href = `/sessions/${encodeURIComponent(sessionId)}?follow=1`;
  const className = "font-semibold hover:underline";
  if (sessionOfPath(window.location.pathname) === sessionId)
    return (
      <PlainLink
        href={href}
        className={className}
        onClick={({ currentTarget }) => {
          // To the browser that is a reload, which would restore the dialog and the position from the entry.
          if (currentTarget.href === window.location.href) putEntry({});
        }}
      >
        {children}
      </PlainLink>
    );
  return (
    <Link href={href} prefetch={false} onClick={onGo} className={className}>
      {children}
    </Link>
  );
}

/** Past notifications, and their reasons. */
function FiredList({ onGo }: { onGo: () => void }) {
  const list = useFired();
  return (
    <section aria-label="Past notifications" className="border-t border-line">
      <h3 className="flex h-8 items-center gap-2 bg-panel px-4 text-11 text-fg-2">
        <span className="flex-1">Past notifications</span>
        {list.length > 0 && (
          <Button kind="quiet" onClick={clearFired}>
            Clear
          </Button>
        )}
      </h3>
      {list.length === 0 ? (
        <p className="px-4 py-3 text-12 text-fg-2">
          Nothing yet. Each notification is listed here with the reason for it.
        </p>
      ) : (
        <ul>
          {list.map(({ key, sessionId, title, why, atMs }) => (
            <li
              key={`${key} ${sessionId} ${atMs}`}
              className="flex items-start gap-2 border-t border-line px-4 py-1.5 text-12"
            >
              <span className="flex h-[1lh] flex-none items-center text-fg-3">
                <Icon of={BellRing} small />
              </span>
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <SessionEnd sessionId={sessionId} onGo={onGo}>
                  <VisibleText text={title} />
                </SessionEnd>
                <span className="block text-fg-2">
                  <VisibleText text={why} />
                </span>
              </span>
              <span className="flex-none text-fg-3 tabular-nums">
                <Time atMs={atMs} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
