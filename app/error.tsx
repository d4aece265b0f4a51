"use client";

import { PartFault } from "@/components/ui/part-fault";
import { ErrorState } from "@/components/ui/states";
import { useIsOutdated } from "@/lib/client/newer-build";
import { isPartMissing } from "@/lib/client/page-part";

/** Shown for a bug in the page, and where a part of its code did not come. Bad data in a log never leads here: it is shown as rows. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const isOutdated = useIsOutdated();
  // What was asked for once is not asked for again before the page is loaded anew.
  if (isPartMissing(error))
    return (
      <main className="h-full">
        <PartFault title="Couldn’t load this page" />
      </main>
    );
  return (
    <main className="h-full">
      <ErrorState
        title="This page crashed"
        message={error.message || "Unknown error."}
        hint={
          isOutdated
            ? "Backscroll was updated after this page was loaded. Nothing on disk was changed: load the page anew."
            : "This is a bug in Backscroll, not in your logs. Nothing on disk was changed."
        }
        code={error.digest}
        onRetry={isOutdated ? () => window.location.reload() : reset}
      />
    </main>
  );
}
