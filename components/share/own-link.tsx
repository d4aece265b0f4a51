import { useState } from "react";
import { Button, CommandLine } from "@/components/ui/button";
import { CheckField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useViewLink } from "@/lib/client/address/address-writes";
import { currentToken, withToken } from "@/lib/client/connection/token";
import { copyText } from "@/lib/client/copy-text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { linkToGive, tunnelCommand, withDots } from "./share-link";

/** The link to the view on screen for the owner, for any browser that can reach this machine. */
export function OwnLink({ onDone }: { onDone: () => void }) {
  const [hasToken, setHasToken] = useState(false);
  const href = useViewLink();
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <p className="text-fg-2">
        Opens this view in another browser on this machine or through an SSH tunnel.
      </p>
      <LinkLine link={withToken(href, hasToken ? currentToken() : null)} onCopied={onDone} />
      <CheckField checked={hasToken} onChange={setHasToken}>
        Include the token
        <span className={`block text-12 ${hasToken ? "text-warn" : "text-fg-3"}`}>
          {hasToken
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

/** The link to this place for a guest, who can pass on the share, and nothing more. */
export function GuestLink({ onDone }: { onDone: () => void }) {
  const href = useViewLink();
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <p className="text-fg-2">
        Opens this place of the session. It is part of the link that you were given: whoever has it sees what
        you see, and it ends when yours does.
      </p>
      <LinkLine link={linkToGive(href)} onCopied={onDone} />
    </div>
  );
}

/** A link, its token as dots, and the button that copies it whole. */
export function LinkLine({ link, onCopied }: { link: string; onCopied?: () => void }) {
  const copy = async () => {
    const copied = await copyText(link);
    toast(copied ? "Link copied" : "The browser does not allow copying", copied ? "plain" : "err");
    if (copied) onCopied?.();
  };
  const shown = withDots(link);
  return (
    <div className="flex min-w-0 gap-2">
      <output className="flex h-7 min-w-0 flex-1 items-center rounded-2 border border-line-2 bg-panel px-2 font-mono text-code">
        <span className="truncate" title={labelHidden(shown)}>
          {shown}
        </span>
      </output>
      <Button data-autofocus kind="primary" className="h-7" onClick={copy}>
        Copy link
      </Button>
    </div>
  );
}
