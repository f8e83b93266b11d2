import type { RequestData, ResponseData } from "../../api/call.ts";

export type VersionConfig = ResponseData<"/v2/workspace/apikeyconfig/get">;
type Update = RequestData<"/v2/workspace/apikeyconfig/update">;

/** State of the form. */
export interface VersionForm {
  isOn: boolean;
  minutes: string;
  days: string;
}

/** Minutes that are offered when automatic versions are turned on. */
const DEFAULT_MINUTES = 30;

/** Paths of the fields in the request, by which errors name them. */
export const MINUTES_PATH = "data.automaticVersionMinutes";
export const DAYS_PATH = "data.automaticVersionDays";

/** Returns the form for the stored settings. */
export function toForm({ automaticVersionMinutes, automaticVersionDays }: VersionConfig): VersionForm {
  return {
    isOn: automaticVersionMinutes > 0,
    minutes: String(automaticVersionMinutes || DEFAULT_MINUTES),
    days: String(automaticVersionDays),
  };
}

/** Returns the update that saves the form. */
export function toUpdate({ isOn, minutes, days }: VersionForm): Update {
  return { automaticVersionMinutes: isOn ? Number(minutes) : 0, automaticVersionDays: Number(days) };
}
