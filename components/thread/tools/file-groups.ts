export type FileGroup = { folder: string; names: { name: string; path: string }[] };

/** Files by the folder they lie in, folders in the order in which they first come. */
export function fileGroups(paths: readonly string[]): FileGroup[] {
  const groups = new Map<string, FileGroup>();
  for (const path of paths) {
    const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
    const folder = cut === -1 ? "" : path.slice(0, cut) || "/";
    const group = groups.get(folder) ?? { folder, names: [] };
    group.names.push({ name: path.slice(cut + 1), path });
    groups.set(folder, group);
  }
  return [...groups.values()];
}

export type ListedEntry = { name: string; depth: number; folder: boolean };

/** The tree that LS prints (1.0): `- name/` by indentation; text after it is the client's own. */
export function listedEntries(text: string): ListedEntry[] {
  return text.split("\n").flatMap((line) => {
    const [, indent, name] = /^( *)- (.+)$/.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name, depth: Math.floor((indent ?? "").length / 2), folder: /[/\\]$/.test(name) }];
  });
}
