import type { NewEvent } from "../event-log/event.ts";

/** Returns the events of organizations that were added or have changed, for backends. */
export function eventsOfOrganizations(
  organizations: readonly { organizationKey: string; organizationId: string }[],
): NewEvent[] {
  return organizations.map(({ organizationKey, organizationId }) => ({
    ...{ organizationKey, documentId: undefined },
    ...{ kind: "organization.update", subject: { id: organizationId }, audience: "backend" },
  }));
}
