import { clsx } from "clsx";
import { MessageSquare, Star, StickyNote, Tag as TagIcon } from "lucide-react";
import { VisibleText } from "@/components/content/text/visible-text";
import { IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { formatCount, formatPlural } from "@/lib/format/format";
import { shownName } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionMarks } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import { toggleStar } from "./organise";

/** A star that is set. */
export function StarMark({ className }: { className: string }) {
  return (
    <span role="img" aria-label="Starred" className={clsx("inline-flex flex-none text-edit", className)}>
      <Icon of={Star} small className="fill-current" />
    </span>
  );
}

/** A tag of the reader's own. */
function OwnTag({ children }: { children: string }) {
  return (
    <span className="inline-block max-w-32 flex-none truncate rounded-1 bg-raised px-1.5 text-[11px]/[17px] text-fg-2">
      <VisibleText text={shownName(children)} />
    </span>
  );
}

/** A session's marks in a line: at most `most` tags, a note, comments. Nothing if there are none. */
export function MarkLine({ marks, most }: { marks: SessionMarks | null; most: number }) {
  if (!marks) return null;
  const { tags, note, comments, openComments } = marks;
  const hidden = tags.slice(most);
  return (
    <>
      {tags.slice(0, most).map((tag) => (
        <OwnTag key={tag}>{tag}</OwnTag>
      ))}
      {hidden.length > 0 && (
        <span className="flex-none text-11 text-fg-3" title={labelHidden(hidden.join(", "))}>
          +{hidden.length}
        </span>
      )}
      {note !== null && (
        <span
          className="inline-flex flex-none text-fg-3"
          title={labelHidden(note)}
          role="img"
          aria-label={labelHidden(`Note: ${note}`)}
        >
          <Icon of={StickyNote} small />
        </span>
      )}
      {comments > 0 && (
        <span
          className={clsx(
            "inline-flex flex-none items-center gap-0.5 text-11 tabular-nums",
            openComments > 0 ? "text-fg-2" : "text-fg-3",
          )}
          title={`${formatPlural(openComments, "open comment")} of ${formatCount(comments)}`}
        >
          <Icon of={MessageSquare} small />
          {formatCount(openComments > 0 ? openComments : comments)}
        </span>
      )}
    </>
  );
}

/** At a session's head: its star, its tags, and the button to name, tag and note it. */
export function HeadMarks({ id, marks }: { id: SessionId; marks: SessionMarks | null }) {
  const organise = () => openPageDialog({ organise: [id] });
  const starred = marks?.starred === true;
  return (
    <span className="flex flex-none items-center gap-1">
      <IconButton
        icon={Star}
        small
        label={starred ? "Remove the star" : "Star this session"}
        keys="*"
        pressed={starred}
        className={clsx("border-transparent! bg-transparent!", starred && "text-edit! [&_svg]:fill-current")}
        onClick={() => toggleStar([{ id }])}
      />
      <span className="flex items-center gap-1 max-lg:hidden">
        <IconButton icon={TagIcon} small label="Name, tags and note" keys="t" onClick={organise} />
        {marks && (marks.tags.length > 0 || marks.note !== null) && (
          <button type="button" onClick={organise} className="flex items-center gap-1">
            <MarkLine marks={{ ...marks, comments: 0 }} most={2} />
          </button>
        )}
      </span>
    </span>
  );
}
