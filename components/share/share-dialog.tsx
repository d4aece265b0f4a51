"use client";

import { Share } from "lucide-react";
import { useState } from "react";
import { Button, CommandLine } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { CheckField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { toast } from "@/components/ui/toast";
import { useViewLink } from "@/lib/client/address";
import { copyText } from "@/lib/client/copy-text";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { currentToken } from "@/lib/client/token";

/** A link to the view on screen, for any browser that can reach this machine. */
export function ShareDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog title="Share this view" open={open} onOpenChange={onOpenChange} className="max-w-[560px]">
      <ShareForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ShareForm({ onDone }: { onDone: () => void }) {
  const [withToken, setWithToken] = useState(false);
  const href = useViewLink();
  const copy = async () => {
    const copied = await copyText(shareLink(href, withToken ? currentToken() : null));
    toast(copied ? "Link copied" : "The browser does not allow copying", copied ? "plain" : "err");
    if (copied) onDone();
  };
  // The token is shown as dots, so that a shared screen doesn't leak it.
  const shown = shareLink(href, null) + (withToken ? "#t=••••••••" : "");
  return (
    <div className="grid gap-4 p-4">
      <p className="text-fg-2">
        Opens this view in another browser on this machine or through an SSH tunnel.
      </p>
      <div className="flex min-w-0 gap-2">
        <output className="flex h-7 min-w-0 flex-1 items-center rounded-2 border border-line-2 bg-panel px-2 font-mono text-code">
          <span className="truncate" title={shown}>
            {shown}
          </span>
        </output>
        <Button data-autofocus kind="primary" className="h-7" onClick={copy}>
          Copy link
        </Button>
      </div>
      <CheckField checked={withToken} onChange={setWithToken}>
        Include the token
        <span className={`block text-12 ${withToken ? "text-warn" : "text-fg-3"}`}>
          {withToken
            ? "Anyone with this link can read every session, not only this one, while this token is valid."
            : "Without it the link asks for the token printed in the terminal."}
        </span>
      </CheckField>
      <section className="grid gap-1.5 border-t border-line pt-3">
        <h3 className="text-12 font-semibold">From another machine</h3>
        <p className="text-12 text-fg-2">
          Backscroll listens on this machine only. On the other one, run this first, with your user name and
          this machine’s address, and then open the link there:
        </p>
        <CommandLine command={tunnelCommand(href)} />
      </section>
    </div>
  );
}

/** A link to the view at `href`, with the token only if one is given. A token already in `href` is dropped. */
export function shareLink(href: string, token: string | null): string {
  const url = new URL(href);
  const kept = url.hash
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !part.startsWith("t="));
  if (token) kept.push(`t=${token}`);
  url.hash = kept.join("&");
  return url.href;
}

/** The SSH command that forwards this server's port to another machine. The port must be the same on both. */
export function tunnelCommand(href: string): string {
  const port = new URL(href).port || "80";
  return `ssh -N -L ${port}:127.0.0.1:${port} user@this-machine`;
}

/** Opens the share dialog for the current view. */
export function ShareButton() {
  return (
    <Button onClick={() => openPageDialog("share")}>
      <Icon of={Share} small />
      Share
    </Button>
  );
}
