"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { sessionOfPath } from "@/lib/client/address/session-url";
import { useIsGuest } from "@/lib/client/connection/token";
import { GuestLink, OwnLink } from "./own-link";
import { CreatedLink, type MadeLink, PersonForm } from "./person-form";
import { ShareList } from "./share-list";

/**
 * Links to the view on screen: for another person, who sees only this session, and for the owner; and the list of
 * shares.
 */
export function ShareDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const isGuest = useIsGuest();
  const onDone = () => onOpenChange(false);
  return (
    <Dialog
      title={isGuest ? "Copy link to this place" : "Share this view"}
      open={open}
      onOpenChange={onOpenChange}
      className="max-w-[600px]"
    >
      {isGuest ? <GuestLink onDone={onDone} /> : <OwnerChoices onDone={onDone} />}
    </Dialog>
  );
}

type ChoiceName = "person" | "own" | "shared";

function OwnerChoices({ onDone }: { onDone: () => void }) {
  const sessionId = sessionOfPath(usePathname());
  const [shown, setShown] = useState<ChoiceName>(sessionId ? "person" : "own");
  const [made, setMade] = useState<MadeLink | null>(null);
  const tabs: { value: ChoiceName; label: string }[] = [
    ...(sessionId ? [{ value: "person", label: "For another person" } as const] : []),
    { value: "own", label: "For myself" },
    { value: "shared", label: "Shared by me" },
  ];
  return (
    <Tabs
      label="Share"
      tabs={tabs}
      value={shown}
      onChange={setShown}
      // Names begin where the panel's text does.
      className="[&>[role=tablist]]:px-3"
    >
      {sessionId && (
        <TabPanel value="person">
          {made ? <CreatedLink {...made} /> : <PersonForm sessionId={sessionId} onMade={setMade} />}
        </TabPanel>
      )}
      <TabPanel value="own">
        <OwnLink onDone={onDone} />
      </TabPanel>
      <TabPanel value="shared">
        <ShareList />
      </TabPanel>
    </Tabs>
  );
}
