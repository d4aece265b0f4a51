"use client";

import { Command } from "cmdk";
import { CornerDownLeft, Folder, type LucideIcon, TextAlignStart } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { Time } from "@/components/ui/time";
import { type KeyCommand, listCommands } from "@/lib/client/key-registry";
import { libraryHref } from "@/lib/client/library-filters";
import { useGoTo } from "@/lib/client/use-go-to";
import { shortenHome, splitPath } from "@/lib/text/split-path";
import { printKey } from "./print-key";

/** Sessions, projects and this page's commands in one field, opened from anywhere. */
export function GoToDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog title="Go to" open={open} onOpenChange={onOpenChange} className="max-w-[720px]">
      <GoTo close={() => onOpenChange(false)} />
    </Dialog>
  );
}

function GoTo({ close }: { close: () => void }) {
  const router = useRouter();
  const [words, setWords] = useState("");
  const [selected, setSelected] = useState("");
  const { sessions, projects } = useGoTo(words);
  const wanted = words.trim().toLowerCase();
  const commands = listCommands().filter(
    ({ label, group, keys }) =>
      group !== "Move" && !keys.includes("mod+k") && label.toLowerCase().includes(wanted),
  );
  const values = [
    ...sessions.map(({ id }) => `session ${id}`),
    ...projects.found.map(({ id }) => `project ${id}`),
    ...commands.map(({ label }) => `command ${label}`),
  ];
  const names = new Map(projects.all.map((project) => [project.id, splitPath(project.path).name]));
  const go = (href: string) => {
    close();
    router.push(href);
  };
  const run = (command: KeyCommand) => {
    close();
    // After the dialog has given the focus back to the page.
    setTimeout(() => command.run(new KeyboardEvent("keydown")), 0);
  };
  return (
    <Command
      shouldFilter={false}
      loop
      label="Go to"
      // Answers come later than keys: what is gone from the list gives way to the first.
      value={values.includes(selected) ? selected : (values[0] ?? "")}
      onValueChange={setSelected}
    >
      <Command.Input
        data-autofocus
        value={words}
        onValueChange={setWords}
        placeholder="Session, project or command"
        className="h-11 w-full border-b border-line bg-transparent px-4 text-15 outline-none focus-visible:outline-none"
      />
      <Command.List className="max-h-[52vh] overflow-auto pb-2">
        <Command.Empty className="px-4 py-6 text-fg-2">Nothing has that in its name.</Command.Empty>
        <Group heading="Sessions">
          {sessions.map(({ id, title, projectId, lastActiveAtMs }) => (
            <Entry
              key={id}
              value={`session ${id}`}
              icon={TextAlignStart}
              aside={
                <>
                  {names.get(projectId)}
                  {lastActiveAtMs === null ? null : <Time atMs={lastActiveAtMs} className="ml-2" />}
                </>
              }
              onSelect={() => go(`/sessions/${encodeURIComponent(id)}`)}
            >
              {title}
            </Entry>
          ))}
        </Group>
        <Group heading="Projects">
          {projects.found.map(({ id, path, sessions: count }) => (
            <Entry
              key={id}
              value={`project ${id}`}
              icon={Folder}
              aside={count}
              onSelect={() => go(libraryHref({ project: id }))}
            >
              {shortenHome(path)}
            </Entry>
          ))}
        </Group>
        <Group heading="Commands">
          {commands.map((command) => (
            <Entry
              key={command.label}
              value={`command ${command.label}`}
              icon={CornerDownLeft}
              aside={<Kbd>{printKey(command.keys[0] ?? "")}</Kbd>}
              onSelect={() => run(command)}
            >
              {command.label}
            </Entry>
          ))}
        </Group>
      </Command.List>
    </Command>
  );
}

function Group({ heading, children }: { heading: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-4 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-11 [&_[cmdk-group-heading]]:text-fg-3"
    >
      {children}
    </Command.Group>
  );
}

function Entry({
  value,
  icon,
  aside,
  onSelect,
  children,
}: {
  value: string;
  icon: LucideIcon;
  aside: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="grid h-[30px] grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 px-4 whitespace-nowrap data-[selected=true]:sel-bar data-[selected=true]:bg-sel"
    >
      <Icon of={icon} small className="text-fg-3" />
      <span className="truncate">{children}</span>
      <span className="text-12 text-fg-3 tabular-nums">{aside}</span>
    </Command.Item>
  );
}
