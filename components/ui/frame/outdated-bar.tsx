"use client";

import { useIsOutdated } from "@/lib/client/newer-build";
import { Button } from "../button";
import { StateBar } from "../states";

/** Says that the server is of another build than the page by now, and loads the page anew: not by itself, in the midst of reading. */
export function OutdatedBar() {
  if (!useIsOutdated()) return null;
  return (
    <div className="print:hidden">
      <StateBar
        tone="warning"
        action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        Backscroll was updated after this page was loaded. Until it is loaded anew, some of it may not work.
      </StateBar>
    </div>
  );
}
