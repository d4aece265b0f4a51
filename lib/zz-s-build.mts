import { Catalog } from "@/lib/server/catalog/catalog";
import { scanRequest } from "@/lib/server/session/session-cache";
import { openIndexFile } from "@/lib/server/index/index-file";
import { createIndexStore } from "@/lib/server/index/index-store";
import { indexSession, readSession } from "@/lib/server/index/index-session";
import { parseEverything } from "@/bench/harness/baseline";
import { rmSync, statSync } from "node:fs";
const dir = process.argv[2]!; const data="/tmp/scratch/S/data"; 
if (process.argv[3] !== "warm") rmSync(data,{recursive:true,force:true}); (await import("node:fs")).mkdirSync(data,{recursive:true});
const P = parseEverything(dir, 2); console.log("P", P.ms|0, P.bytes/1e6);
const c = new Catalog([{path:dir,kind:"config"}]); let t=performance.now(); await c.list(); console.log("list", performance.now()-t|0, c.summaries().length);
const reqs=[]; for (const s of c.summaries().sort((a,b)=>(b.lastActiveAtMs??0)-(a.lastActiveAtMs??0))) reqs.push(await scanRequest(c.sessionFiles(s.id)));
if (process.argv[3] === "parts") {
 t=performance.now(); for (const r of reqs) readSession(null, r); console.log("scan only", performance.now()-t|0);
 const fake:any={load:()=>null}; let n=0,b=0; t=performance.now(); for (const r of reqs){const x=readSession(fake,r); n+=x.texts.length; for(const y of x.texts)b+=y.text.length} console.log("scan+texts", performance.now()-t|0, n, b/1e6);
}
const f=openIndexFile(data); console.log(f.mode,f.warnings);
t=performance.now(); const st=createIndexStore(f.database!); console.log("entries", st.entries().length, performance.now()-t);
t=performance.now(); for (const r of reqs) indexSession(st,r); console.log("index", performance.now()-t|0);
t=performance.now(); console.log("check", st.check(), performance.now()-t|0);
f.close(); console.log("size MB", statSync(f.path).size/1e6, "rss", process.memoryUsage().rss/1e6|0);
