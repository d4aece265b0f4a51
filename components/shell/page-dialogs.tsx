"use client";

import { useEffect } from "react";
import { OrganiseDialog } from "@/components/annotations/organise-dialog";
import { ProjectDialog } from "@/components/annotations/project-dialog";
import { ImageDialog } from "@/components/content/blob/blob-view";
import { COSTLIEST, libraryHref } from "@/components/library/library-filters";
import { NotificationsDialog } from "@/components/live/notifications-dialog";
import { useTelling } from "@/components/live/notify";
import { PaletteDialog } from "@/components/search/palette/palette";
import { LISTED_PAGES } from "@/components/share/listed-pages";
import { ShareDialog } from "@/components/share/share-dialog";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { openPageDialog, usePageDialog } from "@/lib/client/address/page-dialogs";
import { useIsGuest } from "@/lib/client/connection/token";
import { allowSingleKeys, type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { usePreferences } from "@/lib/client/preferences";
import { KeysDialog } from "./keys-dialog";
import { SettingsDialog } from "./settings-dialog";

const close = (open: boolean) => {
  if (!open) openPageDialog(null);
};

type Shown = ReturnType<typeof usePageDialog>;

const isImage = (shown: Shown) => shown !== null && typeof shown === "object" && "image" in shown;
const isProject = (shown: Shown) => shown !== null && typeof shown === "object" && "project" in shown;
const isOrganise = (shown: Shown) => shown !== null && typeof shown === "object" && "organise" in shown;

/** The dialogs of every page and their keys; a session’s own are drawn by its page. Mounted once, above the pages' own scopes. */
export function PageDialogs() {
  const shown = usePageDialog();
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
    ...LISTED_PAGES.map(({ href, label, keys }): KeyCommand => {
      return {
        keys,
        label: label.toLowerCase(),
        group: "Views and panes",
        when: () => !isGuest,
        run: () => openPage(href),
      };
    }),
    {
      keys: [],
      label: "costliest sessions of the last 7 days",
      group: "Views and panes",
      when: () => !isGuest,
      run: () => openPage(libraryHref(COSTLIEST)),
    },
    {
      keys: [],
      label: "sessions that ended unanswered",
      group: "Views and panes",
      when: () => !isGuest,
      run: () => openPage(libraryHref({ q: "is:unanswered" })),
    },
    {
      keys: ["s"],
      label: isGuest ? "copy link to this place" : "share this view",
      group: "Copy and share",
      run: () => openPageDialog("share"),
    },
  ]);
  return (
    <>
      <SettingsDialog open={shown === "settings"} onOpenChange={close} />
      <PaletteDialog open={shown === "go-to"} onOpenChange={close} />
      <KeysDialog open={shown === "keys"} onOpenChange={close} />
      <NotificationsDialog open={shown === "notifications"} onOpenChange={close} />
      <ShareDialog open={shown === "share"} onOpenChange={close} />
      {isImage(shown) && <ImageDialog {...shown} onOpenChange={close} />}
      {isOrganise(shown) && <OrganiseDialog sessions={shown.organise} onOpenChange={close} />}
      {isProject(shown) && <ProjectDialog project={shown.project} onOpenChange={close} />}
    </>
  );
}
