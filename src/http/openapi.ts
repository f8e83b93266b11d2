import { Check } from "typebox/schema";
import { bodyTooLargeMessage, getBodyLimit } from "../contract/body-limit.ts";
import { ERROR_CATALOGUE, type ErrorStatus } from "../contract/error-catalogue.ts";
import { ERROR_KINDS, type Reason } from "../contract/errors.ts";
import { type ErrorResponse, getPaths, type Operation } from "../contract/operation.ts";
import { EVENT_STREAM_PATH } from "./event-stream-path.ts";
import { buildExampleResponse } from "./example-response.ts";
import { HTTP_ERRORS } from "./http-errors.ts";
import { takesIdempotencyKey } from "./idempotency-key.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { type NamedSchemas, referNamed } from "./named-schemas.ts";
import { describeEventStream } from "./openapi-event-stream.ts";
import { introduction } from "./openapi-introduction.ts";
import { backendSecurity, getSecurity, securitySchemes, userSentence } from "./openapi-security.ts";
import { ACCEPTED } from "./response.ts";
import { buildResponseSchema } from "./response-schema.ts";
import { strictSchema } from "./strict-schema.ts";

interface DocumentOptions {
  operations: readonly Operation[];
  /** The one whose events are also sent as a stream. */
  eventOperation: Operation;
  /** Address without a trailing slash. */
  publicUrl: string;
  /** Header prefixes, at least one. Examples use the first. */
  headerPrefixes: string[];
  version: string;
}

/** Errors that every operation may return, in addition to its own `errors`. */
const COMMON_ERRORS: ErrorStatus[] = [
  ...(["INVALID_ARGUMENT", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE"] as const),
];

/** A frequent reason of each status, which the examples show. */
const EXAMPLE_REASONS = {
  FAILED_PRECONDITION: "organization_being_deleted",
  PERMISSION_DENIED: "api_key_invalid",
  NOT_FOUND: "not_found",
  ALREADY_EXISTS: "already_exists",
  RESOURCE_EXHAUSTED: "rate_limited",
  INTERNAL: "internal_error",
  UNAVAILABLE: "database_unavailable",
} as const satisfies Record<Exclude<ErrorStatus, "INVALID_ARGUMENT">, Reason>;

/**
 * Returns the OpenAPI 3.1 document of all paths, in the given order, and of the event stream. An alias names the path
 * of its operation in `x-alias-of`, and an operation that deletes the fields that name what in `x-deletes`.
 */
export function openApiDocument({
  operations,
  eventOperation,
  publicUrl,
  headerPrefixes,
  version,
}: DocumentOptions): object {
  const paths = operations.flatMap(getPaths);
  const schemas: NamedSchemas = { Error: ERROR_SCHEMA };
  const entries = operations.flatMap((operation) => {
    const described = describeOperation(operation, headerPrefixes, schemas);
    return getPaths(operation).map((path) => {
      const alias = path === operation.path ? {} : { "x-alias-of": operation.path };
      return [path, { post: { operationId: operationId(path, paths), tags: [getTag(path)], ...alias, ...described } }];
    });
  });
  return {
    openapi: "3.1.1",
    info: {
      title: "Colloquy",
      version,
      summary: "Activity logs, comments, notifications, presence and collaborative documents behind one HTTP API.",
      description: introduction(headerPrefixes),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    security: backendSecurity(headerPrefixes),
    tags: [...new Set(paths.map(getTag))].sort().map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(entries),
      [EVENT_STREAM_PATH]: { get: eventStream(eventOperation, headerPrefixes, schemas) },
    },
    components: {
      schemas,
      headers: HEADERS,
      securitySchemes: securitySchemes(headerPrefixes),
    },
  };
}

function describeOperation(operation: Operation, headerPrefixes: readonly string[], schemas: NamedSchemas): object {
  return {
    summary: operation.summary,
    description: description(operation),
    ...(operation.deprecatedOn && { deprecated: true }),
    ...getSecurity(operation, headerPrefixes),
    ...(takesIdempotencyKey(operation) && { parameters: [IDEMPOTENCY_KEY] }),
    ...(operation.deletes && { "x-deletes": operation.deletes }),
    requestBody: requestBody(operation, schemas),
    responses: { [operation.isAsynchronous ? ACCEPTED : 200]: success(operation, schemas), ...buildErrors(operation) },
  };
}

function eventStream(operation: Operation, headerPrefixes: readonly string[], schemas: NamedSchemas): object {
  const { success: stream, description: text, ...described } = describeEventStream(operation, schemas);
  // A GET has no body of a wrong size or type.
  const errors = Object.entries(buildErrors(operation)).filter(([httpStatus]) => !HTTP_ERRORS.has(Number(httpStatus)));
  return {
    ...{ operationId: "eventsStream", tags: [getTag(EVENT_STREAM_PATH)], ...described },
    description: description({ ...operation, description: text }),
    ...getSecurity(operation, headerPrefixes),
    responses: { 200: { ...stream, headers: SUCCESS_HEADERS }, ...Object.fromEntries(errors) },
  };
}

function description(operation: Operation): string {
  const { description: text = "" } = operation;
  if (operation.authentication === "none") return text;
  const scope = `The auth token needs the scope \`${operation.scope}\`.`;
  const { returned } = operation;
  const sent = returned ? ` What \`${returned.by.path}\` returns can be sent unchanged.` : "";
  return `${text}${sent}\n\n${scope}${userSentence(operation)}`.trim();
}

function requestBody({ request, example }: Operation, schemas: NamedSchemas): object {
  const isRequired = !Check(request, {});
  const data = referNamed(jsonSchema(strictSchema(request)), schemas);
  const schema = { ...object({ data }, isRequired ? ["data"] : []), additionalProperties: false };
  return { required: isRequired, content: json(schema, { example: { data: example } }) };
}

function success(operation: Operation, schemas: NamedSchemas): object {
  const schema = jsonSchema(buildResponseSchema(operation));
  const example = buildExampleResponse(schema, operation);
  return {
    description: operation.message,
    headers: SUCCESS_HEADERS,
    content: json(referNamed(schema, schemas), example === undefined ? {} : { example }),
  };
}

function buildErrors(operation: Operation): Record<number, object> {
  const byHttpStatus = new Map<number, ErrorResponse[]>();
  for (const response of buildErrorResponses(operation)) {
    byHttpStatus.set(response.httpStatus, [...(byHttpStatus.get(response.httpStatus) ?? []), response]);
  }
  return Object.fromEntries([...byHttpStatus].map(([httpStatus, errors]) => [httpStatus, buildError(errors)]));
}

function buildErrorResponses(operation: Operation): ErrorResponse[] {
  const { errors = [] } = operation;
  const statuses = new Set([
    ...COMMON_ERRORS,
    ...(takesIdempotencyKey(operation) ? (["ALREADY_EXISTS"] as const) : []),
    ...errors,
  ]);
  return [...statuses].flatMap((status): ErrorResponse[] => {
    if (typeof status === "object") return [status];
    if (status === "INVALID_ARGUMENT") return buildInvalidArgumentResponses(operation);
    const reason = EXAMPLE_REASONS[status];
    const { httpStatus } = ERROR_CATALOGUE[status];
    return [{ status, httpStatus, message: ERROR_KINDS[reason].meaning, details: { reason } }];
  });
}

function buildInvalidArgumentResponses(operation: Operation): ErrorResponse[] {
  const { required } = jsonSchema(operation.request);
  const path = Array.isArray(required) && required.length > 0 ? `data.${required[0]}` : undefined;
  const issue = path ? { path, message: "is required" } : { path: "data", message: "must be an object" };
  const wrongField = {
    message: `${issue.path} ${issue.message}`,
    details: { reason: "field_invalid", issues: [issue] },
  } as const;
  const status = "INVALID_ARGUMENT";
  return [
    { status, httpStatus: ERROR_CATALOGUE.INVALID_ARGUMENT.httpStatus, ...wrongField },
    ...[...HTTP_ERRORS].map(([httpStatus, { reason, message: general }]) => {
      const message = reason === "body_too_large" ? bodyTooLargeMessage(getBodyLimit(operation)) : general;
      return { status, httpStatus, message, details: { reason } } as const;
    }),
  ];
}

function buildError(responses: ErrorResponse[]): object {
  const examples = responses.map(({ status, message, details }) => [
    status,
    { summary: status, value: { error: { message, status, details } } },
  ]);
  const mayRetry = responses.some(({ status }) => status === "UNAVAILABLE" || status === "RESOURCE_EXHAUSTED");
  return {
    description: responses.map(getMeaning).join("\n\n"),
    headers: headerReferences("x-request-id", ...RATE_LIMIT_HEADERS, ...(mayRetry ? ["retry-after"] : [])),
    content: json({ $ref: "#/components/schemas/Error" }, { examples: Object.fromEntries(examples) }),
  };
}

/** Returns the meaning of a status: the catalogue's, or the message if the HTTP code differs from the catalogue's. */
function getMeaning({ status, httpStatus, message }: ErrorResponse): string {
  const { httpStatus: usual, meaning } = ERROR_CATALOGUE[status];
  return `\`${status}\`: ${httpStatus === usual ? meaning : message}`;
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Names the request, so that it can be sent again: the service carries it out once and returns the same response " +
    "for 24 hours. Use a random key for each request.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const ERROR_SCHEMA = object(
  {
    error: object(
      {
        message: { type: "string", description: "Explanation for developers." },
        status: { type: "string", enum: Object.keys(ERROR_CATALOGUE) },
        details: object(
          {
            reason: {
              type: "string",
              enum: Object.keys(ERROR_KINDS),
              description: "Stable code of the error, which programs should check instead of the message.",
            },
            issues: {
              type: "array",
              description: "The invalid fields of a request, 100 at most.",
              items: object({ path: { type: "string" }, message: { type: "string" } }, ["path", "message"]),
            },
            organizationId: { type: "string", description: "The organization that is disabled, or has the document." },
            documentId: { type: "string", description: "The document that is disabled or migrated." },
          },
          ["reason"],
        ),
      },
      ["message", "status", "details"],
    ),
  },
  ["error"],
);

const HEADERS = {
  "x-request-id": { description: "Identifies the request in the log of the service.", schema: { type: "string" } },
  "retry-after": { description: "Seconds to wait before retrying.", schema: { type: "integer" } },
  "ratelimit-limit": {
    description: "Requests per second of the workspace. Present if the service limits them.",
    schema: { type: "integer" },
  },
  "ratelimit-remaining": { description: "Requests that can be sent now.", schema: { type: "integer" } },
  "ratelimit-reset": { description: "Seconds until the full limit is available.", schema: { type: "integer" } },
};

const RATE_LIMIT_HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];

const SUCCESS_HEADERS = headerReferences("x-request-id", ...RATE_LIMIT_HEADERS);

function headerReferences(...names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the tag of a path: `activities` for `/v2/activities/add`. */
function getTag(path: string): string {
  return path.split("/")[2] ?? "";
}

/** Returns the operation ID of a path: `activitiesAdd`, with `V1` at the end if version 2 has the same path. */
function operationId(path: string, paths: readonly string[]): string {
  const name = path.replace(/^\/v\d\//, "").replace(/[/-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
  const isSuperseded = path.startsWith("/v1/") && paths.includes(path.replace("/v1/", "/v2/"));
  return isSuperseded ? `${name}V1` : name;
}

function object(properties: Record<string, unknown>, required: string[]): JsonSchema {
  return { type: "object", ...(required.length > 0 && { required }), properties };
}

function json(schema: JsonSchema, examples: object): object {
  return { "application/json": { schema, ...examples } };
}
