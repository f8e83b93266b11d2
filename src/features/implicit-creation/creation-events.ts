import type { NewEvent } from "../event-log/event.ts";
import type { Created } from "../tenancy/tenancy-queries.ts";

/** Returns the events of the organization and documents that a write has created implicitly. */
export function buildCreationEvents(
  organizationId: string,
  { isOrganizationCreated, documentIds }: Created,
): NewEvent[] {
  const documentEvents = documentIds.map(
    (documentId): NewEvent => ({ documentId, kind: "document.update", subject: { id: documentId } }),
  );
  if (!isOrganizationCreated) return documentEvents;
  const subject = { id: organizationId };
  return [{ kind: "organization.update", documentId: undefined, subject, audience: "backend" }, ...documentEvents];
}
