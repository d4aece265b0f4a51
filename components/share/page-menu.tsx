import {
  Ellipsis,
  FileSearch,
  Keyboard,
  Settings,
  Share,
  Stethoscope,
  TextCursorInput,
  Wallet,
} from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { ShareButton } from "./share-button";

/** The last in the bar of every page but a session's, which has a menu of its own: share, settings, usage, prompts, files, diagnostics, keys. */
export function PageMenu() {
  const openPage = useOpenPage();
  return (
    <>
      <span className="flex max-sm:hidden">
        <ShareButton />
      </span>
      <Menu
        label="Page"
        align="end"
        trigger={<IconButton icon={Ellipsis} label="More" className="max-sm:size-8" />}
      >
        <MenuItem icon={Share} keys="s" onSelect={() => openPageDialog("share")}>
          Share this view
        </MenuItem>
        <MenuItem icon={Settings} keys="," onSelect={() => openPageDialog("settings")}>
          Settings
        </MenuItem>
        <MenuItem icon={Wallet} keys="u" onSelect={() => openPage("/usage")}>
          Usage and cost
        </MenuItem>
        <MenuItem icon={TextCursorInput} onSelect={() => openPage("/prompts")}>
          Your prompts
        </MenuItem>
        <MenuItem icon={FileSearch} onSelect={() => openPage("/files")}>
          Sessions of a file
        </MenuItem>
        <MenuItem icon={Stethoscope} onSelect={() => openPage("/doctor")}>
          Diagnostics
        </MenuItem>
        <MenuItem icon={Keyboard} keys="?" onSelect={() => openPageDialog("keys")}>
          All keys
        </MenuItem>
      </Menu>
    </>
  );
}
