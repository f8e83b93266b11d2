import type { TSchema } from "typebox";
import { isObject } from "../json/is-object.ts";
import { findValueEnd, mapMembers } from "../json/json-text.ts";
import type { DownloadTarget } from "./file-links.ts";
import { getUsualFields } from "./schema.ts";

const FILE_ID = "fileId";
const PHOTO_FILE_ID = "photoFileId";

/** What a field of a response is: a list of attachments, which may name files, the file of a photo, or free-form. */
type FieldKind = "attachments" | "photo" | "freeForm";

type GetDownload = (fileId: string) => DownloadTarget;

/**
 * Returns a function that adds the URLs of files to the attachments in the JSON text of a response; null if its schema
 * has none. It works on the text, as compileEmailRemoval does, and changes nothing in free-form fields.
 */
export function compileFileUrls(schema: TSchema): ((json: string, getDownload: GetDownload) => string) | null {
  const kinds = new Map<string, FieldKind>();
  addKinds(schema, undefined, kinds);
  if ([...kinds.values()].every((kind) => kind === "freeForm")) return null;
  const pattern = new RegExp(`"(${[...kinds.keys()].map((name) => RegExp.escape(name)).join("|")})" ?: ?`, "g");
  const { anyOf = [] }: { anyOf?: object[] } = schema;
  const isKeyed = [schema, ...anyOf].some((one) => "patternProperties" in one);
  return (json, getDownload) => {
    if (!json.includes(`"${FILE_ID}"`) && !json.includes(`"${PHOTO_FILE_ID}"`)) return json;
    const add = (text: string) => addUrls(text, pattern, kinds, getDownload);
    return isKeyed && json.startsWith("{") ? mapMembers(json, add) : add(json);
  };
}

function addUrls(
  json: string,
  pattern: RegExp,
  kinds: ReadonlyMap<string, FieldKind>,
  getDownload: GetDownload,
): string {
  const parts: string[] = [];
  let from = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(json); match; match = pattern.exec(json)) {
    const start = pattern.lastIndex;
    const end = findValueEnd(json, start);
    const kind = kinds.get(match[1] ?? "");
    const value = json.slice(start, end);
    if (kind === "photo") parts.push(json.slice(from, end), buildPhotoUrl(getDownload(JSON.parse(value))));
    else if (kind === "attachments") parts.push(json.slice(from, start), withUrls(value, getDownload));
    if (kind !== "freeForm") from = end;
    pattern.lastIndex = end;
  }
  parts.push(json.slice(from));
  return parts.join("");
}

function buildPhotoUrl({ url, expiresAt }: DownloadTarget): string {
  return `,"photoUrl":${JSON.stringify(url)},"photoUrlExpiresAt":${expiresAt}`;
}

/** Returns the JSON text of a list of attachments with the URLs of those that name files. */
function withUrls(json: string, getDownload: GetDownload): string {
  if (!json.includes(`"${FILE_ID}"`)) return json;
  const attachments: unknown = JSON.parse(json);
  if (!Array.isArray(attachments)) return json;
  const added = attachments.map((one: unknown) => {
    const fileId = isObject(one) ? one[FILE_ID] : undefined;
    if (typeof fileId !== "string") return one;
    const { url, expiresAt: urlExpiresAt } = getDownload(fileId);
    return { ...Object(one), url, urlExpiresAt };
  });
  return JSON.stringify(added);
}

/** Adds the kinds of the fields in the schema of a field. */
function addKinds(schema: unknown, name: string | undefined, kinds: Map<string, FieldKind>): void {
  if (!isObject(schema)) return;
  const { properties, items, anyOf, allOf, patternProperties, additionalProperties, type } = schema;
  if (isAttachment(items)) {
    add(kinds, name, "attachments");
    return;
  }
  if (PHOTO_FILE_ID in Object(properties)) add(kinds, PHOTO_FILE_ID, "photo");
  if (additionalProperties === true || (type === undefined && !anyOf && !allOf && !("const" in schema))) {
    if (name !== undefined && !("enum" in schema)) add(kinds, name, "freeForm");
    return;
  }
  for (const [field, one] of Object.entries(Object(properties))) addKinds(one, field, kinds);
  for (const one of [items, anyOf, allOf, Object.values(Object(patternProperties))].flat()) addKinds(one, name, kinds);
}

function isAttachment(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const fields = getUsualFields(schema)?.properties ?? Object(schema.properties);
  return FILE_ID in fields;
}

/** Adds the kind of a field. Throws if another field of this name has another kind. */
function add(kinds: Map<string, FieldKind>, name: string | undefined, kind: FieldKind): void {
  if (name === undefined) throw new Error("a response with attachments is a list of them");
  const known = kinds.get(name) ?? kind;
  if (known !== kind) throw new Error(`the fields ${name} of a response are ${known} and ${kind}`);
  kinds.set(name, kind);
}
