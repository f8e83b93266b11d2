import type { NewEvent } from "../event-log/event.ts";
import type { Created, DocumentRef } from "../tenancy/tenancy-queries.ts";

/** Returns the events of the organization, and of its documents, that a write has created by their first use. */
export function eventsOfFirstUse(
  { organizationKey, organizationId }: Pick<DocumentRef, "organizationKey" | "organizationId">,
  { hasOrganization, documentIds }: Created,
): NewEvent[] {
  const ofOrganization: NewEvent = {
    ...{ organizationKey, documentId: undefined, kind: "organization.update" },
    ...{ subject: { id: organizationId }, audience: "backend" },
  };
  const ofDocuments = documentIds.map(
    (documentId): NewEvent => ({ organizationKey, documentId, kind: "document.update", subject: { id: documentId } }),
  );
  return hasOrganization ? [ofOrganization, ...ofDocuments] : ofDocuments;
}
