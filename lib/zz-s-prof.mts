import { Catalog } from "@/lib/server/catalog/catalog";
import { scanRequest } from "@/lib/server/session/session-cache";
import { readSession } from "@/lib/server/index/index-session";
const dir = process.argv[2]!;
const c = new Catalog([{path:dir,kind:"config"}]); await c.list();
const reqs=[]; for (const s of c.summaries()) reqs.push(await scanRequest(c.sessionFiles(s.id)));
const fake:any={load:()=>null};
for (let k=0;k<3;k++){ const t=performance.now(); let n=0; for (const r of reqs) n+=readSession(fake, r).scan.table.records.size; console.log("scan+texts+graph", performance.now()-t|0, n);}
