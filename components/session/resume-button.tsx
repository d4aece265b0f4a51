import { TriangleAlert } from "lucide-react";
import { Button, CopyButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionResume } from "@/lib/wire/library";

/** What is said where the command that resumes a session was copied. */
export const RESUME_COPIED = "Resume command copied: run it in a terminal";

/**
 * Copies the command that resumes the session. Where that needs more, because its folder is gone or its log was deleted,
 * the dialog about the session is opened instead, which says what is missing and which commands there are.
 */
export function ResumeButton({
  resumeCommand,
  resumeProblem,
  listed,
  className,
}: SessionResume & {
  /** The session, on a page that lists it among others. */
  listed?: SessionId;
  className?: string;
}) {
  if (resumeProblem !== null)
    return (
      <Button
        className={className}
        aria-label="How to resume"
        title={labelHidden(`${resumeProblem.message}: see how to resume it`)}
        onClick={() => openPageDialog(listed === undefined ? "about" : { about: listed })}
      >
        <Icon of={TriangleAlert} small className="text-warn" />
        Resume
      </Button>
    );
  if (resumeCommand === null) return null;
  return (
    <CopyButton
      text={resumeCommand}
      label="Copy resume command"
      title={labelHidden(`Copies ${resumeCommand}`)}
      done={RESUME_COPIED}
      className={className}
    >
      Resume
    </CopyButton>
  );
}
