import type { TSchema } from "typebox";
import { ACCESS_ROLES } from "../../src/contract/end-user.ts";
import { ERROR_CATALOGUE } from "../../src/contract/error-catalogue.ts";
import { ERROR_KINDS } from "../../src/contract/errors.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { getUsualFields } from "../../src/contract/schema.ts";
import { EVENT_KINDS } from "../../src/features/event-log/event.ts";
import { getRecordSchema } from "../../src/features/events/records.ts";
import { getPageFields, type JsonSchema } from "./page-fields.ts";

/** Definitions of the types of schemas that have a `title`, by this name. */
type NamedTypes = Map<string, string>;

const HEAD = "/** Generated from the contracts by `npm run documentation`. Do not edit. */";
const ROLES = "/** Roles on a document, each of which allows what the one before does. */";
const RECORDS = "/** Types of the records of events, by kind. Other kinds have none. */";
const API = "/** Types of `data` in the request and the response of each operation, by path. */";
const PAGE_FIELDS =
  "/** Paths of the operations that users may call, each with the fields in which the requests of pages differ. */";
const PAGE_PATHS = "/** Paths of the operations that users may call. */";
const PRIMITIVES: Record<string, string> = { integer: "number", null: "null", number: "number", string: "string" };
const NAME = /^[A-Za-z_$][\w$]*$/;

/** Returns the file with the types of all requests and responses, which the client package contains. */
export function clientTypes(operations: readonly Operation[]): string {
  const named: NamedTypes = new Map();
  // Responses come first, because a type that requests share with them has the definition of the responses.
  const responses = operations.map(({ response }) => (response ? getType(response, "    ", { named }) : "undefined"));
  const entries = operations.flatMap((operation, index) => {
    const { path, aliases = [], summary } = operation;
    const sent = getType(operation.request, "    ", { named, isSent: true, isTop: true });
    const comment = getComment(summary, "  ");
    return [
      `${comment}  "${path}": {\n    request: ${sent};\n    response: ${responses[index]};\n  };`,
      ...aliases.map((alias) => `${comment}  "${alias}": Api["${path}"];`),
    ];
  });
  const records = EVENT_KINDS.flatMap((kind) => {
    const title = titleIn(getRecordSchema(kind));
    return title === undefined ? [] : [`  "${kind}": ${title};`];
  });
  return [
    HEAD,
    `export type ErrorStatus = ${union(Object.keys(ERROR_CATALOGUE))};`,
    `${ROLES}\nexport type AccessRole = ${union([...ACCESS_ROLES])};`,
    `export type Reason = ${union(Object.keys(ERROR_KINDS))};`,
    ...[...named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, definition]) => definition),
    `${RECORDS}\nexport interface EventRecords {\n${records.join("\n")}\n}`,
    `${API}\nexport interface Api {\n${entries.join("\n")}\n}`,
    `${PAGE_FIELDS}\nexport interface PageFields {\n${operations.flatMap(getPageEntries).join("\n")}\n}`,
    `${PAGE_PATHS}\nexport type PagePath = keyof PageFields;`,
    "",
  ].join("\n\n");
}

function getPageEntries(operation: Operation): string[] {
  const { path, aliases = [], request } = operation;
  if (!("endUsers" in operation) || !operation.endUsers) return [];
  const fields = Object.entries(getPageFields(request, operation.endUsers)).filter(([, paths]) => paths.length > 0);
  const kinds = fields.map(([kind, paths]) => `\n    ${kind}: ${union(paths)};`).join("");
  return [
    `  "${path}": ${kinds === "" ? "object" : `{${kinds}\n  }`};`,
    ...aliases.map((alias) => `  "${alias}": PageFields["${path}"];`),
  ];
}

/** Returns the title of the records in a list, which may also have null. */
function titleIn(schema: TSchema | JsonSchema | undefined): string | undefined {
  const { title, items, anyOf = [] } = (schema ?? {}) as JsonSchema;
  return title ?? [...(items ? [items] : []), ...anyOf].map(titleIn).find((found) => found !== undefined);
}

/** Position of a type in the API. */
interface Place {
  named: NamedTypes;
  /** Whether callers write the values, as opposed to the service. */
  isSent?: boolean;
  /** Whether the type is the whole request. */
  isTop?: boolean;
}

/** Returns the TypeScript type of the values that match a schema. */
function getType(schema: TSchema | JsonSchema, indent: string, place: Place): string {
  const usual = getUsualFields(schema);
  if (usual) return getType(usual, indent, place);
  const { title, description } = schema as JsonSchema;
  if (title === undefined || place.isTop) return getDefinition(schema, indent, place);
  const definition = getDefinition(schema, "", place);
  const isInterface = definition.startsWith("{");
  const head = `${getComment(description, "")}export ${isInterface ? `interface ${title} ` : `type ${title} = `}`;
  const text = `${head}${definition}${isInterface ? "" : ";"}`;
  const known = place.named.get(title) ?? text;
  place.named.set(title, known);
  if (known === text) return title;
  // Some free-form objects have another type in requests than in responses.
  if (place.isSent) return getDefinition(schema, indent, place);
  throw new Error(`Two different schemas have the title ${title}.`);
}

function getDefinition(schema: TSchema | JsonSchema, indent: string, place: Place): string {
  const { anyOf, enum: values, items, type, ...rest } = schema as JsonSchema;
  const inner = { ...place, isTop: false };
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return union(values);
  if (anyOf) return anyOf.map((each) => getType(each, indent, inner)).join(" | ");
  if (type === "array") return items ? `Array<${getType(items, indent, inner)}>` : "unknown[]";
  if (type === "object") return objectType(rest, indent, place);
  return PRIMITIVES[type ?? ""] ?? type ?? "unknown";
}

function objectType(schema: JsonSchema, indent: string, place: Place): string {
  const { isSent = false, isTop = false } = place;
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema;
  const inner = `${indent}  `;
  const innerPlace = { ...place, isTop: false };
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = NAME.test(name) ? name : JSON.stringify(name);
    if (typeof property === "boolean") return `${inner}${key}?: ${property ? "unknown" : "never"};`;
    const isRequired = required.includes(name);
    // JSON omits undefined fields. Requests accept them at the top level, as the operations' own types do.
    const type = `${getType(property, inner, innerPlace)}${isTop && !isRequired ? " | undefined" : ""}`;
    return `${getComment(property.description, inner)}${inner}${key}${isRequired ? "" : "?"}: ${type};`;
  });
  const further = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const items = [...Object.values(patternProperties), ...(further ? [further] : [])];
  if (items.length > 0) {
    fields.push(`${inner}[id: string]: ${items.map((item) => getType(item, inner, innerPlace)).join(" | ")};`);
  } else if (additionalProperties === true) {
    // An interface has no index signature, but is an object.
    if (isSent && fields.length === 0) return "object";
    fields.push(`${inner}[field: string]: unknown;`);
  }
  return fields.length > 0 ? `{\n${fields.join("\n")}\n${indent}}` : "object";
}

function union(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function getComment(text: string | undefined, indent: string): string {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("\n", " ").replaceAll("*/", "* /")} */\n`;
}
