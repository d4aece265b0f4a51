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
        title="This page crashed"
        message={error.message || "Unknown error."}
        hint="This is a bug in Backscroll, not in your logs. Nothing on disk was changed."
        code={error.digest}
        onRetry={reset}
      />
    </main>
  );
}
