import Type, { type Static } from "typebox";
import { FreeFormObject, FreeFormValue, Identifier, User } from "../../../contract/schema.ts";
import { Comment } from "../comments/comment.ts";

const Location = Type.Object(
  { id: Identifier, locationName: Type.Optional(Type.String()) },
  { additionalProperties: true, description: "Place in the document. Further fields are stored." },
);

const Status = Type.Object({
  id: Identifier,
  name: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum(["default", "ongoing", "terminal"])),
  color: Type.Optional(Type.String()),
});

export const DEFAULT_STATUS = { id: "OPEN", name: "Open", type: "default" } as const;

const Priority = Type.Optional(FreeFormValue);
const AssignedTo = Type.Optional(Type.Union([User, Type.Null()]));
const TargetElement = Type.Optional(
  Type.Union([FreeFormObject, Type.Null()], { description: "Element of the document that the annotation refers to." }),
);
const Context = Type.Optional(Type.Union([FreeFormObject, Type.Null()]));

/** Fields that `update` can replace. A new annotation may have all of them. */
export const changeableAnnotationFields = {
  location: Type.Optional(Location),
  targetElement: TargetElement,
  status: Type.Optional(Status),
  priority: Priority,
  assignedTo: AssignedTo,
  context: Context,
};

export const CommentAnnotation = Type.Object({
  createdAt: Type.Integer({ description: "Milliseconds since the epoch." }),
  lastUpdated: Type.Integer({
    description: "Time of the last change of the annotation or its comments, in milliseconds since the epoch.",
  }),
  comments: Type.Array(Comment, { description: "Oldest first." }),
  annotationId: Identifier,
  type: Type.Literal("comment"),
  from: Type.Optional(
    Type.Interface(
      [User],
      {},
      { description: "Author of the first comment. Missing after that user's data was deleted." },
    ),
  ),
  ...changeableAnnotationFields,
  status: Status,
  metadata: Type.Object({ apiKey: Type.String(), documentId: Identifier, organizationId: Identifier }),
});

const changes = Type.Object(changeableAnnotationFields);
export type AnnotationFields = Static<typeof changes>;

/** Reads a stored annotation; the cast holds because only `add` and `update` write the texts, after validation. */
export function readAnnotation(record: string): AnnotationFields {
  return JSON.parse(record) as AnnotationFields;
}
