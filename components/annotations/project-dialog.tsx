import { useState } from "react";
import { CheckField } from "@/components/ui/field";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useProjects } from "@/lib/client/queries";
import { folderName } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { Annotation } from "@/lib/wire/annotations";
import type { ProjectId } from "@/lib/wire/ids";
import { mark, saveText } from "./organise";
import { NoteField, OrganisedDialog, OrganisedForm } from "./organised-form";
import { useDraft } from "./use-draft";

/** The marks of a project: a note, a star, whether the library shows it with its sessions. */
export function ProjectDialog({
  project,
  onOpenChange,
}: {
  project: ProjectId;
  onOpenChange: (open: boolean) => void;
}) {
  const path = useProjects().data?.find(({ id }) => id === project)?.path;
  return (
    <OrganisedDialog
      title={labelHidden(path === undefined ? "Note on the project" : `Note on ${folderName(path)}`)}
      queryKey={["project", project]}
      rows={4}
      onOpenChange={onOpenChange}
    >
      {(there) => (
        <ProjectForm
          key={project}
          project={project}
          own={there.filter(({ target }) => target.projectId === project)}
          onDone={() => onOpenChange(false)}
        />
      )}
    </OrganisedDialog>
  );
}

function ProjectForm({
  project,
  own,
  onDone,
}: {
  project: ProjectId;
  own: readonly Annotation[];
  onDone: () => void;
}) {
  const place = { projectId: project };
  /** The state when the dialog was opened. */
  const [had] = useState(() => ({
    star: own.some(({ kind }) => kind === "star"),
    hidden: own.some(({ kind }) => kind === "hidden"),
  }));
  const [note, setNote] = useState(own.find(({ kind }) => kind === "note") ?? null);
  const there = { ...had, note: note?.body ?? "" };
  const { draft, change, close } = useDraft(project, there, () => openPageDialog({ project }));
  const save = async () => {
    if (draft.star !== had.star) await mark([place], "star", draft.star);
    await saveText(place, "note", note, draft.note.trim());
    if (draft.hidden !== had.hidden) await mark([place], "hidden", draft.hidden);
  };
  return (
    <OrganisedForm
      noted={place}
      onNote={setNote}
      onSave={save}
      onDone={() => {
        close();
        onDone();
      }}
    >
      <NoteField isFirst note={draft.note} onChange={(text) => change({ note: text })} />
      <div className="flex flex-wrap gap-x-5 gap-y-1 text-12">
        <CheckField checked={draft.star} onChange={(star) => change({ star })}>
          Starred: listed first
        </CheckField>
        <CheckField checked={draft.hidden} onChange={(hidden) => change({ hidden })}>
          Hidden in the library, with its sessions
        </CheckField>
      </div>
    </OrganisedForm>
  );
}
