import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";

/**
 * The id of the project with one of these ids or folders.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {string[]} wanted
 * @returns {Promise<string>}
 * @throws {UsageError} if there is none: of it nothing would be found
 */
export async function findProject(server, wanted) {
  /** @type {import("@/lib/wire/library").ProjectsResponse} */
  const { projects } = await (await ask(server, "projects")).json();
  // A terminal may write the letter of a drive small; projects have it capital.
  const names = wanted.map((name) => name.replace(/^[a-z](?=:[\\/])/, (drive) => drive.toUpperCase()));
  const found = projects.find(({ id, path }) => wanted.includes(id) || names.includes(path));
  if (found) return found.id;
  throw new UsageError(
    `no project has the id or the folder ${wanted[0]}. backscroll usage --by project lists them.`,
  );
}
