import Type from "typebox";
import { invalidField, invalidFields, ServiceError } from "../../contract/errors.ts";
import { FreeFormObject, FreeFormValue, Identifier } from "../../contract/schema.ts";
import { DocumentError, type DocumentErrorDetails } from "./document-error.ts";
import { EditorSchema, NewEditorSchema } from "./schema/editor-schema.ts";
import { SharedType } from "./shared-type.ts";
import type { ChangedDocument, YjsDocumentChange, YjsDocumentRestore } from "./yjs-document.ts";
import { changeWithoutBlocking, type DocumentOwner, restoreWithoutBlocking } from "./yjs-document-pool.ts";

const DATA = "A string for `text`, an object for `map`, an array of objects for `array`, an XML string for `xml`.";
const ContentData = Type.Union([Type.String(), FreeFormObject, Type.Array(FreeFormObject)], { description: DATA });
/** Data of a request. The items of an array are checked once `type` is known to be array. */
const NewContentData = Type.Union([Type.String(), FreeFormObject, Type.Array(FreeFormValue)], { description: DATA });

/** Request of `add` and `update`. */
export const CollaborativeDocumentContent = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  editorId: Identifier,
  type: SharedType,
  contentKey: Type.Optional(Identifier),
  data: NewContentData,
  userId: Type.Optional(Identifier),
  schema: Type.Optional(NewEditorSchema),
});

export const CollaborativeDocument = Type.Object(
  {
    id: Type.String({ description: "The `editorId`." }),
    data: ContentData,
    type: SharedType,
    contentKey: Type.String({ description: "Name of the content in the Yjs document." }),
    lastUpdate: Type.String({ format: "date-time", description: "ISO 8601." }),
    lastUpdatedBy: Type.Union([Type.String(), Type.Null()], {
      description: "ID of the user who made the newest change; null for the backend and deleted users.",
      examples: ["ada"],
    }),
    sessionId: Type.Union([Type.String(), Type.Null()], { description: "Always null." }),
    schema: Type.Optional(EditorSchema),
    state: Type.Optional(
      Type.String({ description: "The Yjs document in Base64, as an update in format 1 for Y.applyUpdate." }),
    ),
  },
  { title: "CollaborativeDocument" },
);

/** Rules for `userId`, `schema` and `data` in the descriptions of `add` and `update`. */
export const DATA_RULES =
  "`userId` names the user who wrote the content, for `lastUpdatedBy` and comparisons of versions. " +
  "`schema` records the schema of the editors, as `/v2/crdt/schema/update` does.\n\n" +
  "`data` is a string for `text`, an object for `map`, an array of objects for `array` and an XML string for `xml`. " +
  "Objects and arrays inside it become nested Y.Map and Y.Array; XML becomes Y.XmlElement and Y.XmlText. XML must be " +
  "well-formed, may have several root elements and text between them, and is returned escaped; CDATA becomes text, " +
  "and an XML declaration is not stored. An attribute that is not a string has the prefix `json:` and its JSON as " +
  'value, such as `json:level="2"`. A DTD, an entity that XML does not define itself, a comment, a processing ' +
  "instruction or more than 256 levels are INVALID_ARGUMENT, and so are a lone surrogate, a number that exceeds a " +
  "64-bit float, and more than 250,000 elements, attributes and texts of XML.";

const SHAPES = {
  text: { name: "a string", fits: (data: unknown) => typeof data === "string" },
  map: {
    name: "an object",
    fits: (data: unknown) => typeof data === "object" && data !== null && !Array.isArray(data),
  },
  array: { name: "an array of objects", fits: Array.isArray },
  xml: { name: "a string", fits: (data: unknown) => typeof data === "string" },
};

/** Changes the document. Throws INVALID_ARGUMENT or FAILED_PRECONDITION for data it cannot take. */
export async function changeContent(owner: DocumentOwner, change: YjsDocumentChange): Promise<ChangedDocument> {
  rejectOtherShapes(change);
  return await changeWithoutBlocking(owner, change).catch(throwServiceError);
}

/** Restores the document. Throws FAILED_PRECONDITION for one whose history is too long. */
export function restoreContent(owner: DocumentOwner, restore: YjsDocumentRestore): Promise<ChangedDocument> {
  return restoreWithoutBlocking(owner, restore).catch(throwServiceError);
}

function throwServiceError(error: unknown): never {
  throw error instanceof DocumentError ? asServiceError(error.error) : error;
}

function rejectOtherShapes({ type, data }: YjsDocumentChange): void {
  const { name, fits } = SHAPES[type];
  if (!fits(data)) throw invalidField("data.data", `must be ${name}, as data.type is ${type}`);
  if (!Array.isArray(data)) return;
  const [first, ...others] = data.flatMap((item, index) =>
    SHAPES.map.fits(item) ? [] : [{ path: `data.data[${index}]`, message: "must be an object" }],
  );
  if (first) throw invalidFields(first, ...others);
}

function asServiceError({ reason, path, message }: DocumentErrorDetails): ServiceError {
  return new ServiceError(reason, `${path} ${message}`, { details: { issues: [{ path, message }] } });
}

/** Returns the JSON text of a response, except the time and user of the update. `content` is JSON text. */
export function buildRecord(editorId: string, type: SharedType, contentKey: string, content: string): string {
  const key = JSON.stringify(contentKey);
  return `${beginRecord(editorId)}"data":${content},"type":"${type}","contentKey":${key}}`;
}

/** Returns the text with which a record begins, before its content. */
export function beginRecord(editorId: string): string {
  return `{"id":${JSON.stringify(editorId)},`;
}
