import { print } from "../print.mjs";
import { ask } from "./ask.mjs";

/**
 * `backscroll doctor`: prints the report as text or as the API's JSON.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ json: boolean }} options
 */
export async function doctor(server, { json }) {
  const text = await (await ask(server, json ? "doctor" : "doctor?format=text")).text();
  print(text.endsWith("\n") ? text : `${text}\n`);
}
