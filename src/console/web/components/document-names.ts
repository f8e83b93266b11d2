import { useApiQueries } from "../api/use-api.ts";
import { nameOrId } from "./display-text.ts";

/** Maximum number of documents in a request. */
const MAX_DOCUMENTS = 30;
/** Maximum number of requests for the names on a page. Further documents are shown by their ID. */
const MAX_REQUESTS = 10;

export interface DocumentPlace {
  organizationId: string;
  documentId: string;
}

/** Returns the function that returns the name of a document, or its ID until it is known and if there is none. */
export function usePlaceNames(places: readonly DocumentPlace[]): (place: DocumentPlace) => string {
  const requests = [...Map.groupBy(places, ({ organizationId }) => organizationId)]
    .flatMap(([organizationId, ofOne]) => {
      const ids = [...new Set(ofOne.map(({ documentId }) => documentId))].sort();
      const starts = ids.map((_, index) => index).filter((index) => index % MAX_DOCUMENTS === 0);
      return starts.map((start) => ({ organizationId, documentIds: ids.slice(start, start + MAX_DOCUMENTS) }));
    })
    .slice(0, MAX_REQUESTS);
  const responses = useApiQueries("/v2/organizations/documents/get", requests);
  const names = new Map<string, string | undefined>();
  for (const [index, { organizationId }] of requests.entries()) {
    for (const { id, documentName } of responses[index] ?? []) {
      names.set(toKey({ organizationId, documentId: id }), documentName);
    }
  }
  return (place) => nameOrId(names.get(toKey(place)), place.documentId);
}

/** Returns the function that returns the name of a document of the organization, or its ID as `usePlaceNames` does. */
export function useDocumentNames(organizationId: string, ids: readonly string[] = []): (id: string) => string {
  const toName = usePlaceNames(ids.map((documentId) => ({ organizationId, documentId })));
  return (documentId) => toName({ organizationId, documentId });
}

function toKey({ organizationId, documentId }: DocumentPlace): string {
  return JSON.stringify([organizationId, documentId]);
}
