import {
  ChartColumn,
  ChartGantt,
  Columns2,
  Copy,
  Download,
  Ellipsis,
  Info,
  List,
  MessageSquare,
  Presentation,
  Printer,
  Settings,
  Share,
  Tag,
  TriangleAlert,
} from "lucide-react";
import { useFollowing } from "@/components/present/use-present";
import { RESUME_COPIED } from "@/components/session/resume-button";
import { selectionOf } from "@/components/session/selected-rows";
import { SESSION_DIALOGS } from "@/components/session/session-parts";
import { useSessionPage } from "@/components/session/session-store";
import { threadTurns } from "@/components/thread/thread-position";
import { IconButton } from "@/components/ui/button";
import { printKey } from "@/components/ui/keys";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { PartDialog } from "@/components/ui/part-dialog";
import { toast } from "@/components/ui/toast";
import { openPageDialog, usePageDialog } from "@/lib/client/address/page-dialogs";
import { useIsGuest } from "@/lib/client/connection/token";
import { copyText } from "@/lib/client/copy-text";
import { usePagePart } from "@/lib/client/page-part";
import { useShared } from "@/lib/client/use-health";
import { useNarrow } from "@/lib/client/use-media";
import { uuidOfSession } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";

/**
 * What one does with a session as a whole: share, export, print, resume it, and what there is to know of it; where the
 * page is narrow also what its bars have no room for.
 */
export function SessionMenu({
  session,
  folded,
  onFold,
  onPrint,
}: {
  session: SessionDetail;
  folded: boolean;
  /** `null` where there is no turn to fold. */
  onFold: (() => void) | null;
  onPrint: () => void;
}) {
  const isNarrow = useNarrow();
  const isGuest = useIsGuest();
  return (
    <>
      <IconButton
        icon={Download}
        label="Export"
        keys="x"
        className="@max-[780px]/tool:hidden"
        onClick={() => openPageDialog("export")}
      />
      <Menu trigger={<IconButton icon={Ellipsis} label="More" />} label="Session" align="end">
        <ViewItems session={session} onPrint={onPrint} />
        <MarkItems id={session.id} />
        {/* Who was given a link has neither the session's files nor its id. */}
        {!isGuest && <CopyItems session={session} />}
        {isNarrow && <BarItems folded={folded} onFold={onFold} />}
      </Menu>
      <MenuDialogs session={session} />
    </>
  );
}

/** What shows the session, whole or in part, here or elsewhere. */
function ViewItems({ session, onPrint }: { session: SessionDetail; onPrint: () => void }) {
  const isNarrow = useNarrow();
  const isGuest = useIsGuest();
  const { store } = useSessionPage();
  const presents = useFollowing(store.following).role === "presents";
  return (
    <>
      <MenuItem icon={Info} onSelect={() => openPageDialog("about")}>
        About this session
      </MenuItem>
      {isNarrow && (
        <MenuItem icon={ChartColumn} keys="C" onSelect={store.views.openRequests}>
          Context over time
        </MenuItem>
      )}
      <MenuItem icon={Share} keys="s" onSelect={() => openPageDialog("share")}>
        {isGuest ? "Copy link to this place" : "Share this view"}
      </MenuItem>
      {!isGuest && (
        <MenuItem
          icon={Presentation}
          keys="P"
          onSelect={() => (presents ? store.following.end() : store.following.present())}
        >
          {presents ? "Stop presenting" : "Present"}
        </MenuItem>
      )}
      <MenuItem icon={Download} keys="x" onSelect={() => openPageDialog("export")}>
        Export…
      </MenuItem>
      {session.counts.branches > 1 && (
        <MenuItem icon={Columns2} keys="=" onSelect={store.views.compareBranches}>
          Compare branches
        </MenuItem>
      )}
      <MenuItem icon={Printer} keys={printKey("mod+p")} onSelect={onPrint}>
        Print…
      </MenuItem>
    </>
  );
}

/** The dialogs about the session and its export, of the branch and the rows that the reader has before them. */
function MenuDialogs({ session }: { session: SessionDetail }) {
  const { choice, store } = useSessionPage();
  const dialog = usePageDialog();
  const open = dialog === "about" || dialog === "export" ? dialog : null;
  const dialogs = usePagePart(SESSION_DIALOGS, open !== null);
  const close = () => openPageDialog(null);
  if (!dialogs.code)
    return (
      open && (
        <PartDialog
          part={dialogs}
          title={open === "about" ? "About this session" : "Export"}
          onClose={close}
        />
      )
    );
  const isOwn = choice.agent === null;
  const onBranch = { agent: null, branch: isOwn ? choice.branch : null };
  const branch = {
    id: onBranch.branch ?? session.branches.find(({ active }) => active)?.id ?? null,
    turns: threadTurns(session, onBranch),
    turn: (isOwn && store.thread.get().position.turn) || null,
    isOnly: session.counts.branches <= 1,
  };
  const chosen = open === "export" && isOwn ? store.thread.chosen() : null;
  return (
    <dialogs.code.SessionDialogs
      session={session}
      branch={branch}
      selection={selectionOf(chosen)}
      open={open}
      onOpenChange={close}
    />
  );
}

/** What a reader may write about the session. */
function MarkItems({ id }: Pick<SessionDetail, "id">) {
  const { store } = useSessionPage();
  const isGuest = useIsGuest();
  const mayComment = useShared()?.comments === true;
  if (isGuest)
    return mayComment ? (
      <MenuItem icon={MessageSquare} keys="A" onSelect={store.panes.toggleComments}>
        Comments
      </MenuItem>
    ) : null;
  return (
    <>
      <MenuLine />
      <MenuItem icon={Tag} keys="t" onSelect={() => openPageDialog({ organise: [id] })}>
        Name, tags and note
      </MenuItem>
      <MenuItem icon={MessageSquare} keys="A" onSelect={store.panes.toggleComments}>
        Comments and bookmarks
      </MenuItem>
    </>
  );
}

/** What is copied to go on with the session elsewhere. */
function CopyItems({ session }: { session: SessionDetail }) {
  const { resumeCommand, resumeProblem, restoreCommand, id } = session;
  const uuid = uuidOfSession(id) ?? id;
  return (
    <>
      <MenuLine />
      {restoreCommand && (
        <MenuItem icon={Copy} onSelect={() => copy(restoreCommand, "Restore command copied")}>
          Copy restore command
        </MenuItem>
      )}
      {resumeProblem !== null ? (
        <MenuItem icon={TriangleAlert} onSelect={() => openPageDialog("about")}>
          How to resume…
        </MenuItem>
      ) : (
        resumeCommand && (
          <MenuItem icon={Copy} onSelect={() => copy(resumeCommand, RESUME_COPIED)}>
            Copy resume command
          </MenuItem>
        )
      )}
      <MenuItem icon={Copy} onSelect={() => copy(uuid, "Session id copied")}>
        Copy session id
      </MenuItem>
    </>
  );
}

/** What the bars have no room for where the page is narrow. */
function BarItems({ folded, onFold }: { folded: boolean; onFold: (() => void) | null }) {
  const { store } = useSessionPage();
  return (
    <>
      <MenuLine />
      <MenuItem icon={ChartGantt} onSelect={store.views.openWaterfall}>
        Waterfall
      </MenuItem>
      <MenuItem icon={List} disabled={onFold === null} onSelect={() => onFold?.()}>
        {folded ? "Unfold all turns" : "Fold all turns"}
      </MenuItem>
      <MenuItem icon={Settings} onSelect={() => openPageDialog("settings")}>
        Settings
      </MenuItem>
    </>
  );
}

async function copy(text: string, done: string): Promise<void> {
  const copied = await copyText(text);
  toast(copied ? done : "The browser does not allow copying", copied ? "plain" : "err");
}
