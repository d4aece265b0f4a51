"use client";

import { Search } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { CheckField, Field } from "@/components/ui/field";
import { Kbd, printKey } from "@/components/ui/keys";
import { isAllowed, KEY_GROUPS, listCommands, useCommandChanges } from "@/lib/client/key-registry";
import { setPreferences, usePreferences } from "@/lib/client/preferences";

/** Every key that works on this page, from the registry, so that none is listed that does nothing. */
export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { singleKeys } = usePreferences();
  return (
    <Dialog
      title="Keys"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <span className="flex-1">Shortcuts are off while you type.</span>
          <CheckField checked={!singleKeys} onChange={(off) => setPreferences({ singleKeys: !off })}>
            Turn off single-key shortcuts
          </CheckField>
        </>
      }
    >
      <KeyList />
    </Dialog>
  );
}

function KeyList() {
  useCommandChanges();
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const commands = listCommands()
    .map((command) => ({ ...command, keys: command.keys.filter(isAllowed) }))
    .filter(
      ({ label, keys }) =>
        keys.length > 0 && (label.toLowerCase().includes(wanted) || keys.includes(filter.trim())),
    );
  const groups = KEY_GROUPS.map((group) => ({ group, found: commands.filter((one) => one.group === group) }));
  return (
    <>
      <div className="flex h-10 items-center border-b border-line px-4">
        <Field
          data-autofocus
          label="Filter by action or key"
          placeholder="Filter by action or key"
          icon={Search}
          className="flex-1"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      {commands.length === 0 ? <p className="px-4 py-6 text-fg-2">No matching shortcuts here.</p> : null}
      <div className="columns-2 gap-0 pb-2 [column-rule:1px_solid_var(--line)] max-sm:columns-1">
        {groups
          .filter(({ found }) => found.length > 0)
          .map(({ group, found }) => (
            <section key={group} className="break-inside-avoid px-4 pt-3 pb-1">
              <h3 className="mb-1 text-12 font-semibold">{group}</h3>
              <ul>
                {found.map((command) => (
                  <li
                    key={command.keys.join(" ")}
                    className="grid grid-cols-[92px_minmax(0,1fr)] items-center py-0.5 text-12"
                  >
                    <span className="flex gap-1">
                      {command.keys.map((key) => (
                        <Kbd key={key}>{printKey(key)}</Kbd>
                      ))}
                    </span>
                    <span className="text-fg-2">{command.label}</span>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </div>
    </>
  );
}
