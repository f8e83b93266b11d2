import { resolveAnchors } from "../../crdt/anchors/resolve-anchors.ts";
import { applyAnchor } from "../../crdt/anchors/write-anchors.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type StoredAnnotation, toAnnotation } from "./annotation.ts";
import { getEditorId } from "./annotation-anchor.ts";

/** Maximum number of collaborative documents that are read for a page. */
const MAX_DOCUMENTS = 20;

/** Returns the JSON text of annotations with their anchors as they are in the stored collaborative documents. */
export async function withResolvedAnchors(scope: OrganizationScope, records: string): Promise<string> {
  const annotations = readAnnotations(records);
  const resolved = [...annotations];
  const anchored = annotations.flatMap((annotation, index) => {
    const editorId = getEditorId(annotation.anchor);
    return editorId === null ? [] : [{ annotation, index, documentId: annotation.metadata.documentId, editorId }];
  });
  const groups = Map.groupBy(anchored, ({ documentId, editorId }) => JSON.stringify([documentId, editorId]));
  for (const group of groups.values().take(MAX_DOCUMENTS)) {
    const [first] = group;
    if (!first) continue;
    const anchors = group.map(({ annotation: { anchor, anchorState, anchorText }, index }) => ({
      sequence: index,
      fields: JSON.stringify({ anchor, anchorState, anchorText }),
    }));
    for (const changed of await resolveAnchors(scope, first, anchors)) {
      const { [changed.sequence]: annotation } = annotations;
      const applied = annotation && applyAnchor(annotation, changed);
      if (applied) resolved[changed.sequence] = toAnnotation(applied);
    }
  }
  return JSON.stringify(resolved);
}

/** Parses annotations; the cast holds because the service has written the texts. */
function readAnnotations(records: string): StoredAnnotation[] {
  return JSON.parse(records) as StoredAnnotation[];
}
