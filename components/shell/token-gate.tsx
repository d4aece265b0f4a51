"use client";

import { KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useLayoutEffect, useState } from "react";
import { Button, CommandLine } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { basePath } from "@/lib/client/address/base-path";
import {
  parseToken,
  setToken,
  takeTokenFromAddress,
  useIsGuest,
  useTokenState,
} from "@/lib/client/connection/token";
import { GuestPages, ShareEnded } from "./guest-pages";

/**
 * Lets the page through once a token is kept in this browser. The server renders nothing but this
 * gate, closed: no page has data, or inline styles, in its HTML.
 */
export function TokenGate({ children }: { children: ReactNode }) {
  // Before paint, so that the token never stays in an address that someone copies.
  useLayoutEffect(() => void takeTokenFromAddress(), []);
  const state = useTokenState();
  const isGuest = useIsGuest();
  if (state.kind === "opening") return <Opening />;
  if (state.kind === "held") return isGuest ? <GuestPages>{children}</GuestPages> : children;
  if (state.kind === "ended") return <ShareEnded />;
  return <NoToken why={WHY[state.kind]} />;
}

/**
 * The page until its scripts run: the bars that every page has, and after a while what to do, since a script that does
 * not come, as from a server that was just stopped, tells nobody.
 */
function Opening() {
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)_auto]">
      <div aria-hidden="true" className="h-[var(--bar)] border-b border-line-2 bg-panel shown-soon" />
      <div className="flex min-h-0 min-w-0 flex-col items-center justify-center gap-1 p-6 shown-late">
        <p>Backscroll is loading.</p>
        <p className="text-fg-2">If nothing more comes, reload the page.</p>
      </div>
      <div aria-hidden="true" className="h-foot border-t border-line-2 bg-panel shown-soon" />
    </div>
  );
}

const WHY = {
  missing: "This page needs a token.",
  used: "The address that opened this page worked once, within a minute, and does not any more.",
  rejected: "This browser’s token is no longer valid.",
};

/** A page opened without a valid token: says where the link is, and takes a pasted one. */
function NoToken({ why }: { why: string }) {
  const [pasted, setPasted] = useState("");
  const [refused, setRefused] = useState(false);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const token = parseToken(pasted);
    setRefused(token === null);
    if (token) setToken(token);
  };
  const address = `Backscroll is ready at ${window.location.origin}${basePath()}/#t=…`;
  return (
    <main className="flex h-full overflow-auto p-6">
      <form onSubmit={open} className="m-auto flex w-full max-w-[400px] flex-col items-start gap-2.5">
        <Icon of={KeyRound} className="text-fg-3" />
        <h1 className="text-15 font-semibold">Open Backscroll with its link</h1>
        <p className="text-fg-2">
          {why} The link with the token is in the terminal where Backscroll runs. It looks like this:
        </p>
        <div className="flex h-7 max-w-full items-center rounded-2 border border-line-2 bg-panel px-2 font-mono text-code">
          <span className="truncate">{address}</span>
        </div>
        <p className="text-12 text-fg-3">Or paste the link or the token here. It stays in this browser.</p>
        <div className="flex w-full gap-2">
          <Field
            label="Link or token"
            tall
            autoFocus
            className="flex-1"
            placeholder={`${window.location.origin}${basePath()}/#t=…`}
            value={pasted}
            aria-invalid={refused}
            aria-describedby={refused ? "token-refused" : undefined}
            onChange={(event) => setPasted(event.target.value)}
          />
          <Button type="submit" kind="primary" className="h-7">
            Open
          </Button>
        </div>
        {refused ? (
          <p id="token-refused" role="alert" className="text-12 text-err">
            No token found. It is the part after #t=, at least 16 characters.
          </p>
        ) : null}
        <p className="text-12 text-fg-3">
          Or run this in another terminal to open the running Backscroll; in a clone of it,{" "}
          <code>npm start</code>:
        </p>
        <CommandLine command="backscroll" />
      </form>
    </main>
  );
}
