import { print } from "../print.mjs";
import { ask } from "./ask.mjs";

/**
 * `backscroll doctor`: prints the report, or the secrets found, as text, as the API's JSON or as SARIF.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ secrets: boolean, format: string }} options
 */
export async function printReport(server, { secrets, format }) {
  const text = await (await ask(server, `doctor${secrets ? "/secrets" : ""}?format=${format}`)).text();
  print(text.endsWith("\n") ? text : `${text}\n`);
}
