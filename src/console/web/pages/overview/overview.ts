import type { ResponseData } from "../../api/call.ts";

/** Response of /v2/workspace/overview/get. */
export type Overview = ResponseData<"/v2/workspace/overview/get">;
export type ActivityDay = Overview["activitiesPerDay"][number];
export type Setup = Overview["setup"];
