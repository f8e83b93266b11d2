import type { UserRecord } from "../../api/records.ts";

/** A user's record in one organization. */
export interface FoundUser {
  organizationId: string;
  user: UserRecord;
}
