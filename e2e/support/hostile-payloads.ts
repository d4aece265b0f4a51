const RUN = "globalThis.pwned=1";
const FOREIGN = "http://tracker.invalid";

const SCRIPTS = [
  `<script>${RUN}</script>`,
  `<script src="${FOREIGN}/x.js"></script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<object data="data:text/html,<script>opener.pwned=1</script>"></object>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `"><input autofocus onfocus="${RUN}">`,
  `'-alert(1)-'`,
  `\${alert(1)}{{constructor.constructor('${RUN}')()}}`,
  `</textarea></title></style></script><script>${RUN}</script>`,
  `<!--><img src=x onerror="${RUN}">-->`,
  `<base href="${FOREIGN}/"><a href="x">x</a>`,
  `<meta http-equiv="refresh" content="0;url=${FOREIGN}/">`,
  `<link rel="stylesheet" href="${FOREIGN}/x.css">`,
  `<form action="${FOREIGN}/"><button autofocus>Send</button></form>`,
  `~~~html\n<script>${RUN}</script>\n~~~`,
  "$$\\href{javascript:globalThis.pwned=1}{x}$$",
  '```mermaid\ngraph TD; A["<img src=x onerror=globalThis.pwned=1>"] --> B\nclick A call alert(1)\n```',
];

const LINKS = [
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](java\tscript:${RUN})`,
  `[x](&#106;avascript:${RUN})`,
  `[x](data:text/html,<script>${RUN}</script>)`,
  `[x](vbscript:msgbox)`,
  `[x](file:///etc/passwd)`,
  `<javascript:${RUN}>`,
  `[ref]: javascript:${RUN}\n[ref]`,
  `javascript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `//tracker.invalid/x`,
  `http://user:pass@127.0.0.1:9@tracker.invalid/`,
];

const TRACKERS = [
  `![x](${FOREIGN}/pixel.png)`,
  `![x](//tracker.invalid/pixel.png)`,
  `[![x](${FOREIGN}/a.svg)](${FOREIGN}/b)`,
  `<img src="${FOREIGN}/pixel.gif" width=1 height=1>`,
  `<video src="${FOREIGN}/v.mp4" autoplay poster="${FOREIGN}/p.png">`,
  `<div style="background:url(${FOREIGN}/bg.png)">x</div>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
];

const TERMINAL = [
  `\u001b]8;;javascript:${RUN}\u0007click\u001b]8;;\u0007`,
  `\u001b]8;;${FOREIGN}\u001b\\link`,
  "\u001b]0;title\u0007\u001b]52;c;cHduZWQ=\u0007",
  "\u001b[2J\u001b[H\u001b[999;999Hx\u001b[?1049h",
  "\u001bP1$r0m\u001b\\\u001b_payload\u001b\\",
  "\u009b31mC1\u009b0m \u0090q\u009c",
  `\u001b]${"x".repeat(9000)}`,
  `\u001b[${"1;".repeat(5000)}m long`,
  "\r\u0008\u0008\u0008overwritten\u0000",
];

const CHARACTERS = [
  "user\u202e\u2066// admin\u2069\u2066 check",
  "\u200b\u200c\u200d\u2060\ufeffzero",
  "\u{e0041}\u{e0042}tags",
  "z" + "\u0300\u0316".repeat(400),
  "\ud800 lone \udfff",
  "\u2028\u2029 separators",
  "\u05d0\u05d1 right to left \u0627\u0644 \u4e2d\u6587",
];

const LAYOUT = [
  "W".repeat(20_000),
  `${"x".repeat(4000)}\n`.repeat(5),
  `<div style="position:fixed;inset:0;z-index:99999;background:red">all</div>`,
  `<style>*{display:none!important}</style>`,
  `<body class="fixed inset-0 z-50">`,
  "> ".repeat(300) + "deep",
  `${"  ".repeat(60)}- deep\n`.repeat(3),
  `|${"a|".repeat(400)}\n|${"-|".repeat(400)}\n|${"b|".repeat(400)}`,
  "\n".repeat(3000) + "end",
  "[".repeat(2000) + "x" + "]".repeat(2000),
  "*_".repeat(1500),
];

/** Texts that try to run scripts, load resources, redirect, mislead the eye, or break out of their element. */
export const HOSTILE_PAYLOADS: readonly string[] = [
  ...SCRIPTS,
  ...LINKS,
  ...TRACKERS,
  ...TERMINAL,
  ...CHARACTERS,
  ...LAYOUT,
];

export const SVG_IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`;
