import { Copy, Ellipsis, FileText, Info, Printer } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/client/copy-text";
import { formatBytes } from "@/lib/format/format-bytes";
import type { SessionDetail } from "@/lib/wire/session";
import { AboutDialog } from "./about/about-dialog";

/** What one does with a session as a whole: resume it, name it, find its log. */
export function SessionMenu({ session, onPrint }: { session: SessionDetail; onPrint: () => void }) {
  const { resumeCommand, id, logs } = session;
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(id)?.[0] ?? id;
  const [about, setAbout] = useState(false);
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More" className="max-sm:size-8" />}
        label="Session"
        align="end"
      >
        {resumeCommand && (
          <MenuItem icon={Copy} onSelect={() => copy(resumeCommand, "Resume command copied")}>
            Copy resume command
          </MenuItem>
        )}
        <MenuItem icon={Info} onSelect={() => setAbout(true)}>
          Related sessions, files, export
        </MenuItem>
        <MenuItem icon={Printer} onSelect={onPrint}>
          Print what is shown
        </MenuItem>
        <MenuItem icon={Copy} onSelect={() => copy(uuid, "Session id copied")}>
          Copy session id
        </MenuItem>
        {logs.length > 0 && <MenuLine />}
        {logs.slice(0, 12).map(({ path, bytes }) => (
          <MenuItem key={path} icon={FileText} onSelect={() => copy(path, "Path of the log copied")}>
            <span className="font-mono">{path}</span> <span className="text-fg-3">{formatBytes(bytes)}</span>
          </MenuItem>
        ))}
      </Menu>
      <AboutDialog session={session} open={about} onOpenChange={setAbout} />
    </>
  );
}

async function copy(text: string, done: string): Promise<void> {
  const copied = await copyText(text);
  toast(copied ? done : "The browser does not allow copying", copied ? "plain" : "err");
}
