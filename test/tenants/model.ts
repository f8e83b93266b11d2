import type { Reading } from "./gather.ts";
import type { Space } from "./tenant.ts";
import { CALLS } from "./write.ts";

/** Texts of one kind that each tenant must find in exactly one record of a reading. */
interface Kept {
  reading: (organizationId: string) => string;
  kinds: string[];
  /** Whether only the texts with an even index are left. */
  isEven?: true;
}

const inOrganization = (path: string) => (organizationId: string) => `${organizationId}: ${path}`;
const nameGraceInbox = (organizationId: string) => `${organizationId} as grace: /v2/notifications/get`;

/** What is left of what the tenants have written. */
const KEPT: Kept[] = [
  {
    reading: inOrganization("/v2/activities/get"),
    kinds: ["activity", "activity without ID", "moved activity of ada"],
  },
  { reading: inOrganization("/v2/recordings/get"), kinds: ["changed recording"] },
  { reading: inOrganization("/v2/commentannotations/get"), kinds: ["changed comment", "comment 2"], isEven: true },
  { reading: inOrganization("/v2/commentannotations/get"), kinds: ["delayed comment"] },
  { reading: inOrganization("/v2/organizations/documents/get"), kinds: ["changed document", "draft"] },
  { reading: inOrganization("/v2/organizations/folders/get"), kinds: ["changed folder"] },
  { reading: inOrganization("/v2/users/get"), kinds: ["changed user"] },
  { reading: inOrganization("/v2/organizations/usergroups/get"), kinds: ["group"] },
  { reading: inOrganization("/v2/livestate/get"), kinds: ["state"] },
  { reading: (organizationId) => `stream of ${organizationId}: presence data`, kinds: ["cursor"] },
  { reading: inOrganization("/v2/crdt/get"), kinds: ["changed content"], isEven: true },
  { reading: nameGraceInbox, kinds: ["delayed comment"] },
  { reading: nameGraceInbox, kinds: ["changed notification"], isEven: true },
  { reading: () => "/v2/organizations/get", kinds: ["branch"] },
  {
    reading: () => "mails",
    kinds: ["comment of annotation", "comment of spare", "comment 2", "comment 3", "delayed comment"],
  },
];

/** Returns the texts that are in no record, or in several. */
export function lostOrRepeated({ tenants }: Space, readings: Reading[]): string[] {
  return tenants.flatMap((tenant) =>
    KEPT.flatMap(({ reading, kinds, isEven }) => {
      const name = reading(tenant.organizationId);
      const data = readings.find((each) => each.name === name)?.data;
      const records = Array.isArray(data) ? data.map((record) => JSON.stringify(record)) : [];
      const step = isEven ? 2 : 1;
      return kinds.flatMap((kind) =>
        Array.from({ length: CALLS / step }, (_, index) => tenant.text(kind, index * step)).flatMap((text) => {
          const count = records.filter((record) => record.includes(text)).length;
          return count === 1 ? [] : [`${count} times in ${name}: ${text}`];
        }),
      );
    }),
  );
}
