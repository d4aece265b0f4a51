"use client";

import { useEffect, useState } from "react";
import { COSTLIEST, libraryHref } from "@/components/library/library-filters";
import { useTelling } from "@/components/live/notify";
import { PartDialog } from "@/components/ui/part-dialog";
import { useOpenPage } from "@/lib/client/address";
import { useIsGuest } from "@/lib/client/connection/token";
import { allowSingleKeys, useKeys } from "@/lib/client/key-registry";
import { openPageDialog, usePageDialog } from "@/lib/client/page-dialogs";
import { loadWhenIdle, PagePart, usePagePart } from "@/lib/client/page-part";
import { usePreferences } from "@/lib/client/preferences";

const close = (open: boolean) => {
  if (!open) openPageDialog(null);
};

const DIALOGS = new PagePart(() => import("./shown-dialogs"));

/** The dialogs of every page and their keys; a session’s own are drawn by its page. Mounted once, above the pages' own scopes. */
export function PageDialogs() {
  const isGuest = useIsGuest();
  const openPage = useOpenPage();
  const { singleKeys } = usePreferences();
  useEffect(() => allowSingleKeys(singleKeys), [singleKeys]);
  useTelling(!isGuest);
  useKeys([
    {
      keys: ["mod+k"],
      label: "go to or search",
      group: "Find",
      inFields: true,
      run: () => openPageDialog("go-to"),
    },
    { keys: ["?"], label: "all keys", group: "Settings and help", run: () => openPageDialog("keys") },
    { keys: [","], label: "settings", group: "Settings and help", run: () => openPageDialog("settings") },
    {
      keys: ["B"],
      label: "notifications: when to be told of running sessions",
      group: "Settings and help",
      when: () => !isGuest,
      run: () => openPageDialog("notifications"),
    },
    {
      keys: ["u"],
      label: "usage and cost",
      group: "Views and panes",
      when: () => !isGuest,
      run: () => openPage("/usage"),
    },
    {
      keys: [],
      label: "costliest sessions of the last 7 days",
      group: "Views and panes",
      when: () => !isGuest,
      run: () => openPage(libraryHref(COSTLIEST)),
    },
    {
      keys: ["s"],
      label: isGuest ? "copy link to this place" : "share this view",
      group: "Copy and share",
      run: () => openPageDialog("share"),
    },
  ]);
  return <Dialogs />;
}

const TITLES = {
  settings: "Settings",
  keys: "Keys",
  share: "Share this view",
  "go-to": "Go to or search",
  notifications: "Notifications",
};

/** The dialog that is open, or what stands in its place until the code of dialogs is there. */
function Dialogs() {
  const shown = usePageDialog();
  // A session's own are drawn by its page.
  const isOpen = shown !== null && shown !== "about" && shown !== "export";
  const part = usePagePart(DIALOGS, isOpen);
  useEffect(() => loadWhenIdle([DIALOGS]), []);
  const [typed, setTyped] = useState("");
  if (shown !== "go-to" && typed !== "") setTyped("");
  if (part.code) return <part.code.ShownDialogs shown={shown} typed={typed} onOpenChange={close} />;
  if (!isOpen) return null;
  return (
    <PartDialog
      part={part}
      title={typeof shown === "string" ? TITLES[shown] : "Dialog"}
      onClose={() => openPageDialog(null)}
      onType={shown === "go-to" ? (character) => setTyped((before) => before + character) : undefined}
    />
  );
}
