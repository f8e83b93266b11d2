import { Check } from "typebox/schema";
import { bodyLimitOf, bodyTooLargeMessage } from "../contract/body-limit.ts";
import { ERROR_CATALOGUE, type ErrorStatus, FAILURES, type Reason } from "../contract/errors.ts";
import { type ErrorAnswer, type Operation, pathsOf } from "../contract/operation.ts";
import { ACCEPTED } from "./answer.ts";
import { answerSchema } from "./answer-schema.ts";
import { EVENT_STREAM_PATH } from "./event-stream-path.ts";
import { exampleAnswer } from "./example-answer.ts";
import { HTTP_FAULTS } from "./http-faults.ts";
import { takesIdempotencyKey } from "./idempotency-key.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { type NamedSchemas, referNamed } from "./named-schemas.ts";
import { describeEventStream } from "./openapi-event-stream.ts";
import { introduction } from "./openapi-introduction.ts";
import { backendSecurity, securityOf, securitySchemes, userSentence } from "./openapi-security.ts";
import { strictSchema } from "./strict-schema.ts";

interface DocumentOptions {
  operations: readonly Operation[];
  /** The one whose events are also sent as a stream. */
  eventOperation: Operation;
  /** Address without a trailing slash. */
  publicUrl: string;
  /** Header prefixes, at least one. Examples use the first. */
  brands: string[];
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
 * of its operation in `x-alias-of`.
 */
export function openApiDocument({ operations, eventOperation, publicUrl, brands, version }: DocumentOptions): object {
  const paths = operations.flatMap(pathsOf);
  const schemas: NamedSchemas = { Error: ERROR_SCHEMA };
  const entries = operations.flatMap((operation) => {
    const described = describeOperation(operation, brands, schemas);
    return pathsOf(operation).map((path) => {
      const alias = path === operation.path ? {} : { "x-alias-of": operation.path };
      return [path, { post: { operationId: operationId(path, paths), tags: [tagOf(path)], ...alias, ...described } }];
    });
  });
  return {
    openapi: "3.1.1",
    info: {
      title: "Colloquy",
      version,
      summary: "Activity logs, comments, notifications, presence and collaborative documents behind one HTTP API.",
      description: introduction(brands),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    security: backendSecurity(brands),
    tags: [...new Set(paths.map(tagOf))].sort().map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(entries),
      [EVENT_STREAM_PATH]: { get: eventStream(eventOperation, brands, schemas) },
    },
    components: {
      schemas,
      headers: HEADERS,
      securitySchemes: securitySchemes(brands),
    },
  };
}

function describeOperation(operation: Operation, brands: readonly string[], schemas: NamedSchemas): object {
  return {
    summary: operation.summary,
    description: description(operation),
    ...securityOf(operation, brands),
    ...(takesIdempotencyKey(operation) && { parameters: [IDEMPOTENCY_KEY] }),
    requestBody: requestBody(operation, schemas),
    responses: { [operation.isAsynchronous ? ACCEPTED : 200]: success(operation, schemas), ...failures(operation) },
  };
}

function eventStream(operation: Operation, brands: readonly string[], schemas: NamedSchemas): object {
  const { success: stream, description: text, ...described } = describeEventStream(operation, schemas);
  // A GET has no body of a wrong size or type.
  const errors = Object.entries(failures(operation)).filter(([httpStatus]) => !HTTP_FAULTS.has(Number(httpStatus)));
  return {
    ...{ operationId: "eventsStream", tags: [tagOf(EVENT_STREAM_PATH)], ...described },
    description: description({ ...operation, description: text }),
    ...securityOf(operation, brands),
    responses: { 200: { ...stream, headers: SUCCESS_HEADERS }, ...Object.fromEntries(errors) },
  };
}

function description(operation: Operation): string {
  const { description: text = "" } = operation;
  if (operation.authentication === "none") return text;
  const scope = `The auth token needs the scope \`${operation.scope}\`.`;
  return `${text}\n\n${scope}${userSentence(operation)}`.trim();
}

function requestBody({ request, example }: Operation, schemas: NamedSchemas): object {
  const isRequired = !Check(request, {});
  const data = referNamed(jsonSchema(strictSchema(request)), schemas);
  const schema = { ...object({ data }, isRequired ? ["data"] : []), additionalProperties: false };
  return { required: isRequired, content: json(schema, { example: { data: example } }) };
}

function success(operation: Operation, schemas: NamedSchemas): object {
  const schema = jsonSchema(answerSchema(operation));
  const example = exampleAnswer(schema, operation);
  return {
    description: operation.message,
    headers: SUCCESS_HEADERS,
    content: json(referNamed(schema, schemas), example === undefined ? {} : { example }),
  };
}

function failures(operation: Operation): Record<number, object> {
  const byHttpStatus = new Map<number, ErrorAnswer[]>();
  for (const answer of errorAnswers(operation)) {
    byHttpStatus.set(answer.httpStatus, [...(byHttpStatus.get(answer.httpStatus) ?? []), answer]);
  }
  return Object.fromEntries([...byHttpStatus].map(([httpStatus, answers]) => [httpStatus, failure(answers)]));
}

function errorAnswers(operation: Operation): ErrorAnswer[] {
  const { errors = [] } = operation;
  const statuses = new Set([
    ...COMMON_ERRORS,
    ...(takesIdempotencyKey(operation) ? (["ALREADY_EXISTS"] as const) : []),
    ...errors,
  ]);
  return [...statuses].flatMap((status): ErrorAnswer[] => {
    if (typeof status === "object") return [status];
    if (status === "INVALID_ARGUMENT") return invalidArgumentAnswers(operation);
    const reason = EXAMPLE_REASONS[status];
    const { httpStatus } = ERROR_CATALOGUE[status];
    return [{ status, httpStatus, message: FAILURES[reason].meaning, details: { reason } }];
  });
}

function invalidArgumentAnswers(operation: Operation): ErrorAnswer[] {
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
    ...[...HTTP_FAULTS].map(([httpStatus, { reason, message: general }]) => {
      const message = reason === "body_too_large" ? bodyTooLargeMessage(bodyLimitOf(operation)) : general;
      return { status, httpStatus, message, details: { reason } } as const;
    }),
  ];
}

function failure(answers: ErrorAnswer[]): object {
  const examples = answers.map(({ status, message, details }) => [
    status,
    { summary: status, value: { error: { message, status, details } } },
  ]);
  const mayRetry = answers.some(({ status }) => status === "UNAVAILABLE" || status === "RESOURCE_EXHAUSTED");
  return {
    description: answers.map(meaningOf).join("\n\n"),
    headers: headerReferences("x-request-id", ...RATE_LIMIT_HEADERS, ...(mayRetry ? ["retry-after"] : [])),
    content: json({ $ref: "#/components/schemas/Error" }, { examples: Object.fromEntries(examples) }),
  };
}

/** Returns the meaning of a status: the catalogue's, or the message if the HTTP code differs from the catalogue's. */
function meaningOf({ status, httpStatus, message }: ErrorAnswer): string {
  const { httpStatus: usual, meaning } = ERROR_CATALOGUE[status];
  return `\`${status}\`: ${httpStatus === usual ? meaning : message}`;
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Names the request, so that it can be sent again: the service carries it out once and returns the same answer " +
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
              enum: Object.keys(FAILURES),
              description: "Stable code of the failure, which programs should check instead of the message.",
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
function tagOf(path: string): string {
  return path.split("/")[2] ?? "";
}

/** Returns the operation id of a path: `activitiesAdd`, with `V1` at the end if version 2 has the same path. */
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
