"use client";

import { Share } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { openPageDialog } from "@/lib/client/page-dialogs";

/** Opens the share dialog for the view on screen. */
export function ShareButton() {
  return (
    <Button onClick={() => openPageDialog("share")}>
      <Icon of={Share} small />
      Share
    </Button>
  );
}
