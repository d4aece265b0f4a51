"use client";

import { ErrorState } from "@/components/ui/states";

/** Shown for a bug in the page. Bad data in a log never leads here: it is shown as rows. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main className="h-full">
      <ErrorState
        title="This page failed"
        message={error.message || "An error without a message."}
        hint="That is a bug in Backscroll, not in your logs. Nothing was changed on disk."
        code={error.digest}
        onRetry={reset}
      />
    </main>
  );
}
