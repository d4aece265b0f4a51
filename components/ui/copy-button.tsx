"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "@/lib/client/copy-text";
import { Button, type ButtonProps } from "./button";
import { Icon } from "./icon";
import { IconButton } from "./icon-button";
import { toast } from "./toast";

const DONE_MS = 1_200;

/** Copies text, which may have to be fetched first. Only an icon unless it has children. */
export function CopyButton({
  text,
  label,
  kind,
  className,
  children,
}: Pick<ButtonProps, "kind" | "className" | "children"> & {
  text: string | (() => string | Promise<string>);
  /** What is copied: "Copy command". */
  label: string;
}) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const copied = await copyText(typeof text === "string" ? text : await text());
    toast(copied ? "Copied" : "The browser does not allow copying", copied ? "plain" : "err");
    if (!copied) return;
    setDone(true);
    setTimeout(() => setDone(false), DONE_MS);
  };
  const icon = done ? Check : Copy;
  if (!children) {
    return <IconButton icon={icon} small label={label} kind={kind} className={className} onClick={copy} />;
  }
  return (
    <Button aria-label={label} kind={kind} className={className} onClick={copy}>
      <Icon of={icon} small />
      {children}
    </Button>
  );
}
