import { hasHidden, splitHidden } from "@/lib/markup/hidden-characters";

/** Markup that may be part of a page. Only `html` makes it, so that nothing from a log becomes markup unescaped. */
class Html {
  constructor(readonly source: string) {}
  toString(): string {
    return this.source;
  }
}

export type { Html };

/** Values of a template: text is escaped, `null` and `false` are nothing, lists are joined. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

/** Markup from a template whose values are escaped, in attributes too. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(
    parts.map((part, index) => part + (index < values.length ? spell(values[index] ?? null) : "")).join(""),
  );
}

/** A text with badges for characters that are invisible, or would change its direction. */
export function visible(text: string): HtmlValue {
  if (!hasHidden(text)) return text;
  return splitHidden(text).map((part) =>
    part.kind === "text" ? part.text : html`<span class="hidden">${part.label}</span>`,
  );
}

function spell(value: HtmlValue): string {
  if (value instanceof Html) return value.source;
  if (value === null || value === false) return "";
  if (typeof value === "object") return value.map(spell).join("");
  return escape(String(value));
}

function escape(text: string): string {
  return text.replace(/[&<>"'`]/g, (one) => `&#${one.charCodeAt(0)};`);
}
