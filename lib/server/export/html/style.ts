/** The look of an exported page: the viewer's colours, in the reader's theme and on paper. It loads nothing. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fff, #0f1215); --panel: light-dark(#f7f8f9, #14181c); --raised: light-dark(#eff1f3, #1b2026);
  --line: light-dark(#d1d7dc, #303841); --fg: light-dark(#15191d, #e4e7eb); --fg-2: light-dark(#4b5560, #a9b2bc);
  --fg-3: light-dark(#5f6974, #87919d); --accent: light-dark(#1c5fd6, #76a8ff); --err: light-dark(#c4281f, #ff7d73);
  --green: light-dark(#14713f, #4cc38a); --yellow: light-dark(#856000, #e0b341); --warn: light-dark(#a3470b, #f0985f);
  --magenta: light-dark(#8f1f70, #cf7db6); --cyan: light-dark(#0f6f7c, #5cd6e0);
  --add: light-dark(#e8f6ec, #10261a); --add-w: light-dark(#b4e2c3, #1f5537);
  --del: light-dark(#fdeeed, #2a1517); --del-w: light-dark(#f7c4c0, #6b2a2d);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 980px; padding: 24px 20px 64px; background: var(--bg); color: var(--fg);
  font: 14px/22px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, p, li, td, th, blockquote { unicode-bidi: plaintext; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 28px; }
.meta, summary .meta { color: var(--fg-2); font-size: 12px; font-weight: 400; font-variant-numeric: tabular-nums; }
a { color: var(--accent); }
pre, code, .diff { font: 12px/18px ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; tab-size: 4; }
pre { margin: 6px 0; padding: 6px 10px; background: var(--panel); border: 1px solid var(--line); border-radius: 5px;
  white-space: pre-wrap; }
code { padding: 0 4px; border-radius: 3px; background: var(--raised); }
.diff code { padding: 0; background: none; white-space: pre-wrap; }
nav { margin: 16px 0 0; padding: 8px 0; border: solid var(--line); border-width: 1px 0; }
nav ol { margin: 0; padding-left: 28px; font-size: 13px; } nav li::marker { color: var(--fg-3); }
nav a { color: inherit; text-decoration: none; } nav a:hover { text-decoration: underline; }
.turn { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; margin: 32px 0 0; padding-top: 10px;
  border-top: 1px solid var(--line); font-size: 12px; line-height: 20px; font-weight: 400; color: var(--fg-2); }
.turn b { min-width: 28px; padding: 0 4px; border-radius: 3px; background: var(--fg); color: var(--bg);
  font-size: 11px; line-height: 17px; text-align: center; }
.prompt { margin: 6px 0 12px; padding: 8px 12px; border-left: 3px solid var(--accent); background: var(--panel); }
.md > :first-child { margin-top: 0; } .md > :last-child { margin-bottom: 0; }
.md p, .md ul, .md ol, .md blockquote { margin: 6px 0; max-width: 760px; } .md ul, .md ol { padding-left: 24px; }
.md blockquote { padding-left: 10px; border-left: 2px solid var(--line); color: var(--fg-2); }
.md .h { margin-top: 12px; font-weight: 600; } .md .task { list-style: none; margin-left: -20px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 2px 10px; border: 1px solid var(--line); } th { background: var(--panel); font-weight: 600; }
.left:is(th, td) { text-align: left; } .center { text-align: center; } .right { text-align: right; }
details { margin: 2px 0; } summary { cursor: pointer; padding: 1px 0; color: var(--fg-2); font-size: 13px; }
.call > summary { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 10px; align-items: baseline;
  list-style: none; border-radius: 3px; color: var(--fg); }
.call > summary::-webkit-details-marker { display: none; }
.call > summary:hover, details > summary:hover { background: var(--raised); }
.call > summary > .meta { display: flex; flex-wrap: wrap; gap: 0 10px; }
.call > summary > b { min-width: 84px; font-size: 12px; }
.call > summary > b::before { content: "▸ "; color: var(--fg-3); } .call[open] > summary > b::before { content: "▾ "; }
.call > summary > code { padding: 0; background: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call[open] > summary > code { white-space: pre-wrap; }
.body { margin: 2px 0 10px 16px; } .body > p { margin: 4px 0; } .file { font: 600 12px/18px ui-monospace, monospace; }
.agent { margin: 6px 0; border: 1px solid var(--line); border-radius: 5px; }
.agent > summary { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; padding: 3px 10px; border-radius: 5px;
  background: var(--panel); color: var(--fg); list-style: none; }
.agent > summary::-webkit-details-marker { display: none; }
.agent > summary > b { font-size: 12px; } .agent > summary > b::before { content: "▸ "; color: var(--fg-3); }
.agent[open] > summary > b::before { content: "▾ "; } .agent[open] > summary { border-radius: 5px 5px 0 0; }
.agent > summary > .meta { display: flex; flex-wrap: wrap; gap: 0 10px; }
.thread { padding: 0 12px 8px; border-top: 1px solid var(--line); } .thread > .turn:first-child { margin-top: 0; border-top: 0; }
.part { margin: 40px 0 8px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 15px; line-height: 22px; }
.agent:target > summary { background: var(--raised); }
.comment { margin: 6px 0 10px; padding: 6px 12px; max-width: 760px; border: 1px solid var(--accent); border-radius: 5px; }
.comment p { margin: 0; } .comment .said { margin-bottom: 6px; white-space: pre-wrap; } .comment .said:last-child { margin-bottom: 0; }
.comment blockquote { margin: 4px 0; padding-left: 10px; border-left: 2px solid var(--line); color: var(--fg-2); white-space: pre-wrap; }
.out { max-height: none; } .err, pre.err { color: var(--err); } .warn { color: var(--warn); }
p.left { margin: 0; padding: 2px 10px; color: var(--fg-3); font-size: 12px; background: var(--raised); }
.diff { margin: 6px 0; padding: 4px 0; border: 1px solid var(--line); border-radius: 5px; overflow: hidden; }
.diff > div { display: grid; grid-template-columns: 44px 18px minmax(0, 1fr); }
.diff .hunk { display: block; padding-left: 62px; background: var(--panel); color: var(--fg-3); }
.no { padding-right: 8px; text-align: right; color: var(--fg-3); font-size: 11px; user-select: none; } .sign { text-align: center; }
.added { background: var(--add); } .added mark { background: var(--add-w); } .added .sign { color: var(--green); }
.removed { background: var(--del); } .removed mark { background: var(--del-w); } .removed .sign { color: var(--err); }
mark { color: inherit; border-radius: 2px; } .new { border-left: 2px solid var(--green); }
.plus { color: var(--green); } .minus { color: var(--err); }
dl { display: grid; grid-template-columns: minmax(60px, 150px) minmax(0, 1fr); gap: 0 12px; margin: 6px 0; font-size: 12px; }
dt { color: var(--fg-3); } dd { margin: 0; } dd pre { margin: 2px 0; }
img { display: block; max-width: 100%; max-height: 640px; margin: 6px 0; border: 1px solid var(--line); border-radius: 3px; }
.rule { display: flex; gap: 12px; align-items: center; margin: 20px 0; color: var(--fg-2); font-size: 12px; }
.rule::after { content: ""; flex: 1; height: 3px; border: solid var(--line); border-width: 1px 0; }
.hidden { padding: 0 2px; border: 1px solid var(--warn); border-radius: 2px; color: var(--warn); font-size: 11px; }
.b { font-weight: 600; } .i { font-style: italic; } .u { text-decoration: underline; } .st { text-decoration: line-through; }
.a-red { color: var(--err); } .a-green { color: var(--green); } .a-yellow { color: var(--yellow); } .a-blue { color: var(--accent); }
.a-magenta { color: var(--magenta); } .a-cyan { color: var(--cyan); } .a-dim { color: var(--fg-3); } .a-fg { color: var(--fg); }
.on-red { background: var(--err); color: var(--bg); } .on-green { background: var(--green); color: var(--bg); }
.on-yellow { background: var(--yellow); color: var(--bg); } .on-blue { background: var(--accent); color: var(--bg); }
.on-magenta { background: var(--magenta); color: var(--bg); } .on-cyan { background: var(--cyan); color: var(--bg); }
.on-dim { background: var(--fg-3); color: var(--bg); } .on-fg { background: var(--fg); color: var(--bg); }
@media (max-width: 640px) {
  body { padding: 16px 12px 48px; } .body { margin-left: 0; }
  .call > summary { grid-template-columns: auto minmax(0, 1fr); } .call > summary > .meta { grid-column: 2; }
}
@media print {
  :root { color-scheme: light; } body { max-width: none; padding: 0; } nav { display: none; }
  .turn, .call > summary { break-after: avoid; } .prompt, .diff > div { break-inside: avoid; }
}`;
