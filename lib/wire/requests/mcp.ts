import { z } from "zod";
import { zeroOrOne } from "./values";

/** `mcp`. `redact=0`: with secrets as they are; `links=0`: without addresses of pages, where nobody can open them. */
export const McpRequest = z.object({ redact: zeroOrOne("1"), links: zeroOrOne("1") });
