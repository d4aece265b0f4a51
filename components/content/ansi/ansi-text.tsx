import { clsx } from "clsx";
import { VisibleText } from "@/components/content/text/visible-text";
import { type AnsiColor, type AnsiStyle, type AnsiToken, tokenizeAnsi } from "@/lib/markup/ansi-tokens";
import { safeHref } from "@/lib/markup/safe-href";

const FOREGROUND: Record<AnsiColor, string> = {
  red: "text-a-red",
  green: "text-a-green",
  yellow: "text-a-yellow",
  blue: "text-a-blue",
  magenta: "text-a-magenta",
  cyan: "text-a-cyan",
  dim: "text-a-dim",
  fg: "text-fg",
};
const BACKGROUND: Record<AnsiColor, string> = {
  red: "bg-a-red",
  green: "bg-a-green",
  yellow: "bg-a-yellow",
  blue: "bg-a-blue",
  magenta: "bg-a-magenta",
  cyan: "bg-a-cyan",
  dim: "bg-a-dim",
  fg: "bg-fg",
};

/**
 * Terminal output in the theme's colours. Control characters are made visible; links open only http, https and mailto.
 */
export function AnsiText({ text }: { text: string }) {
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return <VisibleText text={text} />;
  return tokenizeAnsi(text).map((token, index) => <AnsiPart key={index} token={token} />);
}

function AnsiPart({ token }: { token: AnsiToken }) {
  if (token.kind === "control")
    return (
      <span data-log="none" className="text-fg-3">
        {token.label}
      </span>
    );
  const content = <VisibleText text={token.text} />;
  const className = classesOf(token.style);
  const href = token.href ? safeHref(token.href) : null;
  if (href) {
    return (
      <a
        className={clsx(className, "underline decoration-dotted underline-offset-3")}
        href={href.href}
        title={href.host}
        target="_blank"
        rel="noopener noreferrer"
      >
        {content}
      </a>
    );
  }
  return className ? <span className={className}>{content}</span> : content;
}

/** On a coloured background the text takes the page's background colour, which keeps the contrast in both themes. */
function classesOf({ fg, bg, bold, dim, italic, underline, strike, inverse }: AnsiStyle): string {
  const ground = inverse ? (fg ?? "fg") : bg;
  return clsx(
    ground ? `${BACKGROUND[ground]} text-bg` : fg ? FOREGROUND[fg] : dim && "text-a-dim",
    bold && "font-semibold",
    italic && "italic",
    underline && "underline",
    strike && "line-through",
  );
}
