import { keyedById } from "../../../contract/schema.ts";

/** Converts the text of an array of annotations to that of an object keyed by document id, in the page's order. */
export function groupByDocument(records: string): string {
  const groups = new Map<string, unknown[]>();
  for (const annotation of readAnnotations(records)) {
    const { documentId } = annotation.metadata;
    const group = groups.get(documentId);
    if (group) group.push(annotation);
    else groups.set(documentId, [annotation]);
  }
  return JSON.stringify(keyedById(groups));
}

/** Parses annotations; the cast holds because the service has written the texts. */
function readAnnotations(records: string): { metadata: { documentId: string } }[] {
  return JSON.parse(records) as { metadata: { documentId: string } }[];
}
