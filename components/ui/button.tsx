"use client";

import { clsx } from "clsx";
import { Check, Copy, type LucideIcon } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { copyAwaited, copyText } from "@/lib/client/copy-text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { Icon } from "./icon";
import { toast, toastFailure } from "./toast";
import { Tooltip } from "./tooltip";

// Under the pointer and pressed each is nearer to the colour of text, which never lowers the contrast of its words. One
// that is disabled stays as it is.
const KINDS = {
  plain: "border-line-2 bg-bg text-fg enabled:hover:bg-raised enabled:active:bg-line-2",
  primary:
    "border-accent bg-accent font-semibold text-on-accent enabled:hover:bg-accent-hover enabled:active:bg-accent-active",
  quiet:
    "border-transparent text-fg-2 enabled:hover:bg-raised enabled:hover:text-fg enabled:active:bg-line-2",
};

export type ButtonProps = ComponentProps<"button"> & {
  kind?: keyof typeof KINDS;
  /** Makes it a toggle button that is on or off. */
  pressed?: boolean;
};

/** A button 24 px high, on a narrow page 32. Forwards its ref and props, so it also works as the trigger of menus and dialogs. */
export function Button({ kind = "plain", pressed, className, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      aria-pressed={pressed}
      className={clsx(
        "inline-flex h-control flex-none items-center gap-1 rounded-2 border px-2 text-12 whitespace-nowrap",
        "transition-colors duration-[var(--fast)] disabled:opacity-50",
        KINDS[kind],
        pressed && "border-line-2 bg-raised font-semibold text-fg",
        className,
      )}
      {...rest}
    />
  );
}

/** An icon button. `label` is its accessible name and tooltip; `keys` is the shortcut shown there. */
export function IconButton({
  icon,
  label,
  keys,
  small,
  className,
  kind = "quiet",
  ...rest
}: ButtonProps & { icon: LucideIcon; label: string; keys?: string; small?: boolean }) {
  return (
    <Tooltip text={label} keys={keys}>
      <Button
        kind={kind}
        aria-label={labelHidden(label)}
        className={clsx("w-control justify-center px-0!", className)}
        {...rest}
      >
        <Icon of={icon} small={small} />
      </Button>
    </Tooltip>
  );
}

const DONE_MS = 1_200;

/** Copies text, which may have to be fetched first. Shows only an icon unless it has children. */
export function CopyButton({
  text,
  label,
  done: said = "Copied",
  kind,
  className,
  title,
  children,
}: Pick<ButtonProps, "kind" | "className" | "title" | "children"> & {
  text: string | (() => string | Promise<string>);
  /** Its accessible name: "Copy command". */
  label: string;
  /** What the page says once it is copied. */
  done?: string;
}) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const copied =
      typeof text === "string"
        ? await copyText(text)
        : await copyAwaited(Promise.resolve().then(text).catch(sayWhy));
    if (copied === null) return;
    toast(copied ? said : "The browser does not allow copying", copied ? "plain" : "err");
    if (!copied) return;
    setDone(true);
    setTimeout(() => setDone(false), DONE_MS);
  };
  const icon = done ? Check : Copy;
  if (!children) {
    return <IconButton icon={icon} small label={label} kind={kind} className={className} onClick={copy} />;
  }
  return (
    <Button aria-label={label} title={title} kind={kind} className={className} onClick={copy}>
      <Icon of={icon} small />
      {children}
    </Button>
  );
}

/** Says why a text could not be fetched. Gives `null`, as what is to be copied. */
function sayWhy(error: unknown): null {
  toastFailure(error, "Couldn’t read it");
  return null;
}

/** A terminal command, truncated at its end unless it is `whole`, with a button that copies all of it. */
export function CommandLine({ command, whole = false }: { command: string; whole?: boolean }) {
  return (
    <div
      className={clsx(
        "flex min-h-7 max-w-full min-w-0 gap-2 rounded-2 border border-line-2 bg-panel pr-1 pl-2 font-mono text-code",
        whole ? "items-baseline" : "items-center",
      )}
    >
      <span className="text-fg-3 select-none">$</span>
      <span
        className={clsx("min-w-0 flex-1", whole ? "py-1 wrap-anywhere" : "truncate")}
        title={labelHidden(whole ? undefined : command)}
      >
        {command}
      </span>
      <CopyButton text={command} label="Copy command" />
    </div>
  );
}
