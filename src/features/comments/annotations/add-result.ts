import Type, { type Static } from "typebox";
import { Identifier, ItemResult } from "../../../contract/schema.ts";
import { getIds, type IdentifiedAnnotation, identify, type NewAnnotation } from "./new-annotation.ts";

export const AddResult = Type.Interface(
  [ItemResult],
  { annotationId: Identifier, commentIds: Type.Array(Type.Integer()), findingId: Type.Optional(Identifier) },
  { title: "AddedAnnotationResult" },
);
type Item = [id: string, result: Static<typeof AddResult>];

export function succeeded(annotation: IdentifiedAnnotation, commentIds: number[]): Item {
  return [annotation.annotationId, { success: true, message: "Annotation added.", ...getIds(annotation), commentIds }];
}

export function failed(annotation: IdentifiedAnnotation, message: string): Item {
  return [annotation.annotationId, { success: false, message, ...getIds(annotation), commentIds: [] }];
}

/** Returns the item of an annotation with an author who may not comment. `index` is its place in the request. */
export function denied(annotation: NewAnnotation, index: number): Item {
  const annotationId = annotation.annotationId ?? `__denied:${index}`;
  return failed({ ...identify(annotation), annotationId }, "A user in a `from` may not comment in the document.");
}
