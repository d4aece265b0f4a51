"use client";

import { Keyboard, Settings } from "lucide-react";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { IconButton } from "./icon-button";

/** Settings and keys, for those who do not know the keys for them. */
export function PageButtons() {
  return (
    <span className="flex items-center">
      <IconButton
        icon={Keyboard}
        small
        className="h-5"
        label="All keys"
        keys="?"
        onClick={() => openPageDialog("keys")}
      />
      <IconButton
        icon={Settings}
        small
        className="h-5"
        label="Settings"
        keys=","
        onClick={() => openPageDialog("settings")}
      />
    </span>
  );
}
