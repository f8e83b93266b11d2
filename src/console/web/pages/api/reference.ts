import { type Field, listFields, type Schema, withoutReferences } from "./schema.ts";

/** The part of the service's OpenAPI document that the reference shows. */
export interface OpenApi {
  info: { version: string; description: string };
  /** All paths have operations but the event stream, which is a GET. */
  paths: Record<string, { post?: Description; get?: Description }>;
  components: { schemas: Record<string, Schema> };
}

interface Content<Example = unknown> {
  "application/json"?: {
    schema: Schema;
    example?: Example;
    examples?: Record<string, { value: unknown }>;
  };
  "text/event-stream"?: { example: string };
}

/** A parameter in the query or a header. */
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: string;
}

interface Description {
  tags: string[];
  summary: string;
  description?: string;
  /** Empty for a public operation; undefined if the document's default applies. */
  security?: object[];
  parameters?: Parameter[];
  /** Fields of the request that name what the operation deletes, the narrowest first. */
  "x-deletes"?: string[];
  /** Missing for a GET. */
  requestBody?: { content: Content<{ data?: object }> };
  responses: Record<string, { description: string; content?: Content }>;
}

/** An operation as the reference shows it. */
export interface OperationReference {
  method: "GET" | "POST";
  path: string;
  tag: string;
  summary: string;
  description: string;
  isPublic: boolean;
  /** Fields of `data`, or parameters of a GET. */
  request: Field[];
  /** Fields of `result`, or of the body if there is no `result`. */
  response: Field[];
  /** Data of a valid request, or the query of a GET. */
  example: object;
  /** Body of its example response; a text for a stream. */
  responseExample: unknown;
  errors: { httpStatus: string; description: string; example: unknown }[];
  /** Fields of the request that name what the operation deletes; undefined if it deletes nothing. */
  deletes: readonly string[] | undefined;
}

/** Fields of every response. */
const ENVELOPE_FIELDS = new Set(["status", "message", "statusCode"]);

/** An operation in the list. */
export interface OperationSummary {
  path: string;
  tag: string;
  summary: string;
}

/** Returns the operations that contain all words of the query, by tag, with the newest version of each first. */
export function searchOperations({ paths }: OpenApi, query: string): Map<string, OperationSummary[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = Object.entries(paths).flatMap(([path, { post, get }]): OperationSummary[] => {
    const described = post ?? get;
    if (!described) return [];
    const { tags, summary, description = "" } = described;
    const [tag = ""] = tags;
    const text = `${path} ${tag} ${summary} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ path, tag, summary }] : [];
  });
  return Map.groupBy(found.toSorted(byTagAndPath), ({ tag }) => tag);
}

function byTagAndPath(one: OperationSummary, other: OperationSummary): number {
  const order = one.tag.localeCompare(other.tag) || unversioned(one.path).localeCompare(unversioned(other.path));
  return order || other.path.localeCompare(one.path);
}

function unversioned(path: string): string {
  return path.replace(/^\/v\d+/, "");
}

/** Returns the reference of an operation; undefined for an unknown path. */
export function operationReference({ paths, components }: OpenApi, path: string): OperationReference | undefined {
  const { post, get } = new Map(Object.entries(paths)).get(path) ?? {};
  const described = post ?? get;
  if (!described) return undefined;
  const { tags, summary, description = "", security, parameters = [], requestBody, responses } = described;
  const request = requestBody?.content["application/json"];
  const getFields = (schema: Schema | undefined) =>
    schema ? listFields(withoutReferences(schema, components.schemas)) : [];
  const [successStatus, success] = Object.entries(responses).find(([httpStatus]) => httpStatus.startsWith("2")) ?? [];
  const json = success?.content?.["application/json"];
  const query = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]]));
  return {
    method: post ? "POST" : "GET",
    path,
    tag: tags[0] ?? "",
    summary,
    description,
    isPublic: security?.length === 0,
    request: post ? getFields(request?.schema.properties?.data) : parameters.map(getField),
    response: getFields(getResult(json?.schema)).filter(isOwnField),
    example: post ? (request?.example?.data ?? {}) : Object.fromEntries(query),
    responseExample: json?.example ?? success?.content?.["text/event-stream"]?.example,
    deletes: described["x-deletes"],
    errors: Object.entries(responses)
      .filter(([httpStatus]) => httpStatus !== successStatus)
      .map(([httpStatus, response]) => ({
        httpStatus,
        description: response.description,
        example: Object.values(response.content?.["application/json"]?.examples ?? {})[0]?.value,
      })),
  };
}

function getField({ name, required, description, schema }: Parameter): Field {
  const [field] = listFields({ type: "object", properties: { [name]: schema }, required: required ? [name] : [] });
  if (!field) throw new Error(`The parameter ${name} has no schema.`);
  return { ...field, description: description ?? field.description };
}

function getResult(body: Schema | undefined): Schema | undefined {
  return body?.properties?.result ?? body;
}

function isOwnField({ path }: Field): boolean {
  return !ENVELOPE_FIELDS.has(path);
}
