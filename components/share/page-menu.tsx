import { Ellipsis, Keyboard, Settings, Share } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { LISTED_PAGES } from "./listed-pages";
import { ShareButton } from "./share-button";

/** The last in the bar of every page but a session's, which has a menu of its own: share, settings, the listed pages, keys. */
export function PageMenu() {
  const openPage = useOpenPage();
  return (
    <>
      <span className="flex max-sm:hidden">
        <ShareButton />
      </span>
      <Menu label="Page" align="end" trigger={<IconButton icon={Ellipsis} label="More" />}>
        <MenuItem icon={Share} keys="s" onSelect={() => openPageDialog("share")}>
          Share this view
        </MenuItem>
        <MenuItem icon={Settings} keys="," onSelect={() => openPageDialog("settings")}>
          Settings
        </MenuItem>
        {LISTED_PAGES.map(({ href, label, icon, keys }) => (
          <MenuItem key={href} icon={icon} keys={keys[0]} onSelect={() => openPage(href)}>
            {label}
          </MenuItem>
        ))}
        <MenuItem icon={Keyboard} keys="?" onSelect={() => openPageDialog("keys")}>
          All keys
        </MenuItem>
      </Menu>
    </>
  );
}
