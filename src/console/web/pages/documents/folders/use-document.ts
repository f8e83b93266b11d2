import type { OrganizationDocument } from "../../../api/records.ts";
import { type ApiQuery, useApiQuery } from "../../../api/use-api.ts";

/** Reads one document. */
export function useDocument(
  organizationId: string,
  documentId: string,
  { isEnabled = true } = {},
): ApiQuery<OrganizationDocument[]> {
  const request = { organizationId, documentIds: [documentId] };
  return useApiQuery("/v2/organizations/documents/get", request, { isEnabled });
}
