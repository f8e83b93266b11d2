import type { Path } from "../../../api/call.ts";

/** Operations whose responses a change of a thread affects: its list, and the last activity of its document. */
export const AFFECTED_READS = [
  "/v2/commentannotations/get",
  "/v2/organizations/documents/get",
] as const satisfies readonly Path[];
