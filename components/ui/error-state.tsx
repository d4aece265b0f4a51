import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { CommandLine } from "./command-line";
import { Icon } from "./icon";

/** What failed, where, what to do. `code` is small print for a bug report. */
export function ErrorState({
  title,
  message,
  hint,
  command,
  code,
  onRetry,
  children,
}: {
  title: string;
  message: ReactNode;
  hint?: ReactNode;
  command?: string;
  code?: string;
  onRetry?: () => void;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className="flex h-full min-h-60 flex-col items-center justify-center p-6 max-sm:p-4">
      <div className="flex w-full max-w-[440px] flex-col items-start gap-2.5">
        <div className="flex items-center gap-2">
          <Icon of={TriangleAlert} className="text-err" />
          <h2 className="font-semibold">{title}</h2>
        </div>
        <p className="max-w-full [overflow-wrap:anywhere] text-fg-2">{message}</p>
        {hint ? <p className="max-w-full [overflow-wrap:anywhere] text-fg-2">{hint}</p> : null}
        {command ? <CommandLine command={command} /> : null}
        {onRetry || children ? (
          <div className="flex gap-2">
            {onRetry ? (
              <Button kind="primary" onClick={onRetry}>
                Try again
              </Button>
            ) : null}
            {children}
          </div>
        ) : null}
        {code ? <p className="text-11 text-fg-3">{code}</p> : null}
      </div>
    </div>
  );
}
