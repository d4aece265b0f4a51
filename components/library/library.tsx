"use client";

import { useId, useRef } from "react";
import { LiveBar } from "@/components/live/live-bar";
import { useNotifications } from "@/components/live/notify";
import { Frame } from "@/components/ui/frame";
import { ProblemLines } from "@/components/ui/problem-lines";
import { useKeys } from "@/lib/client/use-keys";
import { FilterBar } from "./filter-bar";
import { LibraryFoot } from "./library-foot";
import { LibraryNotices } from "./library-notices";
import { LibraryTop } from "./library-top";
import { NarrowTabs } from "./narrow-tabs";
import { SessionList } from "./session-list";
import { SideColumn } from "./side-column";
import { useLibrary } from "./use-library";
import { useLiveLibrary } from "./use-live-library";

/** The library: every session, by project and time. Its state is in the address. */
export function Library() {
  const library = useLibrary();
  const stream = useLiveLibrary();
  useNotifications(library.sessions);
  const { problems } = library;
  const problemId = useId();
  const filterField = useRef<HTMLInputElement>(null);
  const focusFilter = () => filterField.current?.select();
  useKeys("library", [{ keys: ["/"], label: "filter sessions", group: "Find", run: focusFilter }]);
  return (
    <Frame
      top={<LibraryTop />}
      foot={
        <>
          <LibraryFoot library={library} />
          <NarrowTabs onSearch={focusFilter} />
        </>
      }
      bodyClass="grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
    >
      <SideColumn />
      <main className="flex flex-col">
        <FilterBar
          fieldRef={filterField}
          sessions={library.sessions}
          problemId={problems.length > 0 ? problemId : null}
        />
        {/* Always there, so that what appears in it is read out. */}
        <div id={problemId} role="status" className="flex-none">
          <ProblemLines query={library.filters.q} problems={problems} />
        </div>
        <LiveBar stream={stream} />
        <LibraryNotices />
        <SessionList library={library} />
      </main>
    </Frame>
  );
}
