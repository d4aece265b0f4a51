import { decodeBase64, isGivenPassword, isUrlPassword } from "./looks";
import type { Secret } from "./rule";

/** A line of a manifest, as YAML or as JSON in lines, perhaps with a number or a diff's sign before it. */
const LINE =
  /^((?:\s{0,12}\d{1,6}[→\t])?[+]?)([ \t]*)((?:- +)?)(["']?)([\w./-]{1,120})\4[ \t]{0,4}:[ \t]{0,40}([^\r\n]*)\r?$/;
/** A line that ends a document, or begins an item of a list without a name. */
const DOCUMENT = /^(?:\s{0,12}\d{1,6}[→\t])?[+]?(?:---|\s*\{|\s*-\s*\{)/;
const COMPACT = /\},"kind":"Secret"/g;
const PAIR = /"[\w./-]{1,120}":"([A-Za-z0-9+/]{4,}={0,2})"/g;
/** The beginning of a one-line JSON manifest, up to its data. */
const DATA = '"data":{';

/**
 * The contents of manifests of Kubernetes secrets: every value below `data`, in Base64, and `stringData`. What makes a
 * manifest one may follow the values, as in the output of `kubectl get secret -o yaml`.
 */
export function findClusterSecrets(text: string): Secret[] {
  const found: Secret[] = [];
  if (!text.includes("Secret") || !text.includes("ata")) return found;
  readLines(text, found);
  readCompact(text, found);
  return found;
}

/** A manifest while its lines are read; one may be an item of a list. */
type Manifest = { indent: number; isSecret: boolean; values: Secret[] };

function readLines(text: string, found: Secret[]): void {
  let manifest: Manifest | null = null;
  /** The open block of values: the indentation of its name, and whether they are Base64. */
  let block: { indent: number; isEncoded: boolean } | null = null;
  const close = () => {
    if (manifest?.isSecret) for (const value of manifest.values) found.push(value);
    manifest = null;
    block = null;
  };
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 ? text.length : newline;
    // No relevant line of a manifest is longer.
    const line = to - from > MAX_LINE ? null : LINE.exec(text.slice(from, to));
    if (line) {
      const [whole, , blanks = "", dash = "", , name = "", rest = ""] = line;
      const value = rest.trimEnd().replace(/,$/, "");
      const indent = blanks.length + dash.length;
      if (block && indent <= block.indent) block = null;
      if (manifest && (indent < manifest.indent || (dash !== "" && indent === manifest.indent))) close();
      if (block) {
        const start = from + whole.replace(/\r$/, "").length - rest.length;
        manifest?.values.push(...valueOf(start, value, block.isEncoded));
      } else {
        manifest ??= isName(name) ? { indent, isSecret: false, values: [] } : null;
        if (manifest && indent === manifest.indent) {
          if (name === "kind") manifest.isSecret = /^["']?Secret["']?$/.test(value);
          if (name === "data" || name === "stringData") block = { indent, isEncoded: name === "data" };
        }
      }
    } else if (DOCUMENT.test(text.slice(from, Math.min(to, from + 40)))) close();
    from = to + 1;
  }
  close();
}

const MAX_LINE = 16_384;
/** The first keys of a manifest, in its own order or in alphabetical order. */
const isName = (name: string) => /^(?:apiVersion|kind|data|stringData|immutable)$/.test(name);

/** Manifests as one line of JSON, as an annotation keeps the last one that was applied. */
function readCompact(text: string, found: Secret[]): void {
  let from = 0;
  for (const { index } of text.matchAll(COMPACT)) {
    const data = text.slice(from, index).lastIndexOf(DATA);
    for (const pair of data === -1 ? [] : text.slice(from + data, index).matchAll(PAIR)) {
      const value = pair[1] as string;
      const end = from + data + pair.index + pair[0].length - 1;
      found.push(...valueOf(end - value.length, value, true));
    }
    from = index;
  }
}

/** A value without its quotes and the comment behind it. */
function valueOf(start: number, value: string, isEncoded: boolean): Secret[] {
  const quote = /^(["']).*\1$/.test(value) ? 1 : 0;
  const comment = quote ? -1 : value.indexOf(" #");
  const inner = quote ? value.slice(1, -1) : value.slice(0, comment === -1 ? undefined : comment).trimEnd();
  const isSecret = isEncoded ? isEncodedSecret(inner) : inner.length >= 4 && isGivenPassword(inner);
  return isSecret
    ? [{ rule: "assigned-secret", start: start + quote, end: start + quote + inner.length }]
    : [];
}

function isEncodedSecret(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(value)) return false;
  const plain = decodeBase64(value);
  return plain !== null && (/^\d{4,}$/.test(plain) || isUrlPassword(plain));
}
