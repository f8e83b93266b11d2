import type { NewEvent } from "../event-log/event.ts";
import type { Created, DocumentRef } from "../tenancy/queries.ts";

/** Returns the events of the organizations and documents that the calls have created implicitly. */
export function eventsOfFirstUse(
  calls: readonly Pick<DocumentRef, "organizationKey" | "organizationId">[],
  { organizationKeys, documents }: Created,
): NewEvent[] {
  const ids = new Map(calls.map(({ organizationKey, organizationId }) => [organizationKey, organizationId]));
  const ofOrganizations = organizationKeys.flatMap((organizationKey): NewEvent[] => {
    const id = ids.get(organizationKey);
    if (id === undefined) return [];
    return [
      { organizationKey, documentId: undefined, kind: "organization.update", subject: { id }, audience: "backend" },
    ];
  });
  const ofDocuments = documents
    .filter(({ organizationKey }) => ids.has(organizationKey))
    .map(({ organizationKey, documentId }): NewEvent => {
      return { organizationKey, documentId, kind: "document.update", subject: { id: documentId } };
    });
  return [...ofOrganizations, ...ofDocuments];
}
