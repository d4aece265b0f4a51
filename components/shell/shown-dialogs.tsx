import { OrganiseDialog } from "@/components/annotations/organise-dialog";
import { ProjectDialog } from "@/components/annotations/project-dialog";
import { ImageDialog } from "@/components/content/blob/blob-view";
import { NotificationsDialog } from "@/components/live/notifications-dialog";
import { PaletteDialog } from "@/components/search/palette/palette";
import { ShareDialog } from "@/components/share/share-dialog";
import type { PageDialog } from "@/lib/client/page-dialogs";
import { KeysDialog } from "./keys-dialog";
import { SettingsDialog } from "./settings-dialog";

const isImage = (shown: PageDialog | null) => shown !== null && typeof shown === "object" && "image" in shown;
const isProject = (shown: PageDialog | null) =>
  shown !== null && typeof shown === "object" && "project" in shown;
const isOrganise = (shown: PageDialog | null) =>
  shown !== null && typeof shown === "object" && "organise" in shown;

/** The dialogs of every page, of which one is `shown` or none. A part of the page of its own (`page-dialogs.tsx`). */
export function ShownDialogs({
  shown,
  typed,
  onOpenChange,
}: {
  shown: PageDialog | null;
  /** What was typed before the palette was there. */
  typed: string;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <>
      <SettingsDialog open={shown === "settings"} onOpenChange={onOpenChange} />
      <PaletteDialog open={shown === "go-to"} typed={typed} onOpenChange={onOpenChange} />
      <KeysDialog open={shown === "keys"} onOpenChange={onOpenChange} />
      <NotificationsDialog open={shown === "notifications"} onOpenChange={onOpenChange} />
      <ShareDialog open={shown === "share"} onOpenChange={onOpenChange} />
      {isImage(shown) && <ImageDialog {...shown} onOpenChange={onOpenChange} />}
      {isOrganise(shown) && <OrganiseDialog sessions={shown.organise} onOpenChange={onOpenChange} />}
      {isProject(shown) && <ProjectDialog project={shown.project} onOpenChange={onOpenChange} />}
    </>
  );
}
