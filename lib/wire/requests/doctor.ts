import { z } from "zod";
import { sessionId } from "./values";

export const DoctorRequest = z.object({
  session: sessionId.nullable().default(null),
  format: z.enum(["json", "text"]).default("json"),
});

/** `doctor/secrets` */
export const DoctorSecretsRequest = z.object({
  session: DoctorRequest.shape.session,
  format: z.enum(["json", "text", "sarif"]).default("json"),
});
