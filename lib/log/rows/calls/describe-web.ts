import { asArray, asNumber, asObject, asString } from "@/lib/log/records/json";
import { type CallFacts, type CallLine, count } from "./call-facts";

/** A page that was fetched, with its HTTP status. */
export function describeFetch({ input, result }: CallFacts): CallLine {
  const code = asNumber(result?.code);
  return { subject: asString(input.url) ?? "", result: code === null ? null : String(code) };
}

/** A search of the web, and how many links it gave. */
export function describeWebSearch({ input, result }: CallFacts): CallLine {
  const links = asArray(result?.results).reduce<number>(
    (sum, one) => sum + asArray(asObject(one)?.content).length,
    0,
  );
  return { subject: asString(input.query) ?? "", result: result ? count(links, "link") : null };
}
