import type { NewEvent } from "../event-log/event.ts";
import type { Created } from "../tenancy/tenancy-queries.ts";

/** Returns the events of the organization, and of its documents, that a write has created by their first use. */
export function getCreationEvents(organizationId: string, { hasOrganization, documentIds }: Created): NewEvent[] {
  const ofDocuments = documentIds.map(
    (documentId): NewEvent => ({ documentId, kind: "document.update", subject: { id: documentId } }),
  );
  if (!hasOrganization) return ofDocuments;
  const subject = { id: organizationId };
  return [{ kind: "organization.update", documentId: undefined, subject, audience: "backend" }, ...ofDocuments];
}
