import { useApiQuery } from "../api/use-api.ts";
import { nameOrId } from "./display-text.ts";

/** Maximum number of documents whose names are read, which is that of a request. */
const MAX_DOCUMENTS = 30;

/** Returns the function that returns the name of a document, or its ID until it is known and if there is none. */
export function useDocumentNames(organizationId: string, ids: readonly string[] = []): (id: string) => string {
  const documentIds = [...new Set(ids)].sort().slice(0, MAX_DOCUMENTS);
  const request = { organizationId, documentIds, pageSize: MAX_DOCUMENTS };
  const { query } = useApiQuery("/v2/organizations/documents/get", request, { isEnabled: documentIds.length > 0 });
  const names = new Map(query.data?.data.map(({ id, documentName }) => [id, documentName]));
  return (id) => nameOrId(names.get(id), id);
}
