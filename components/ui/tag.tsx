import type { ReactNode } from "react";
import { cx } from "@/lib/client/class-names";

const TONES = {
  plain: "border-line-2 text-fg-2",
  warn: "border-warn text-warn",
  err: "border-err text-err",
  run: "border-run text-run",
};

/** A word in a frame: MCP, computed, guessed. */
export function Tag({ tone = "plain", children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span className={cx("flex-none rounded-1 border px-1 text-[11px]/[15px] whitespace-nowrap", TONES[tone])}>
      {children}
    </span>
  );
}

/** A filter as it is written: `branch:main`. */
export function FilterToken({ name, value }: { name: string; value: string }) {
  return (
    <span className="inline-flex h-[18px] items-center rounded-1 bg-raised px-[5px] font-mono text-12 text-fg">
      <span className="text-fg-3">{name}:</span>
      {value}
    </span>
  );
}

/** Marks a session of which only its agents' logs are left. */
export function LogGoneTag() {
  return (
    <span
      className="mr-1.5 inline-flex flex-none"
      title="This session’s own log is gone; its agents’ logs are left"
    >
      <Tag tone="warn">log gone</Tag>
    </span>
  );
}
