import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { REQUEST_STATUSES } from "../../contract/recorded-request.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken, timeFilters } from "../../contract/schema.ts";
import { selectRequestPage } from "./request-log-queries.ts";

/** Name of a limit, as in `details.limit` of its error and in the metrics. */
export const ReachedLimit = Type.String({
  description: "Limit that the caller has reached.",
  examples: ["user_writes"],
});

const Status = Type.Enum(REQUEST_STATUSES);

const LoggedRequest = Type.Object(
  {
    requestId: Type.String({ description: "The same as in the service's log." }),
    timestamp: Type.Integer({ description: "Time of the response, in milliseconds since the epoch." }),
    operation: Type.String({ description: "Path of the operation, or the path that is none." }),
    status: Type.Enum(REQUEST_STATUSES, {
      description: "`ITEMS_FAILED` is a successful response in which every item failed.",
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Reason of the error; null for a success." }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: "What the caller was told about the error, or about the first item that failed.",
    }),
    httpStatus: Type.Integer(),
    durationMs: Type.Number(),
    organizationId: Type.Union([Type.String(), Type.Null()], { description: "Organization that the request names." }),
    authTokenId: Type.Union([Type.String(), Type.Null()], {
      description: "ID of the auth token, which may be revoked. Null for a user token and for an unknown auth token.",
    }),
    clientAddress: Type.String({ description: "IP address of the client." }),
    limit: Type.Optional(ReachedLimit),
    userId: Type.Optional(
      Type.String({ description: "User who has reached the limit. The log names no other users." }),
    ),
  },
  {
    title: "LoggedRequest",
    examples: [
      {
        requestId: "2f1c7a54-8e4b-4c59-9a53-0c1f3d8e7b21",
        timestamp: 1_795_512_600_000,
        operation: "/v2/activities/add",
        status: "INVALID_ARGUMENT",
        reason: "field_invalid",
        message: "data.activities[0].actionUser is required",
        httpStatus: 400,
        durationMs: 1.4,
        organizationId: "acme",
        authTokenId: "5b2c1d0e-8f3a-4c6b-9d7e-0a1b2c3d4e5f",
        clientAddress: "203.0.113.7",
      },
    ],
  },
);

const Request = Type.Object({
  operation: Type.Optional(Identifier),
  statuses: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: REQUEST_STATUSES.length })),
  requestId: Type.Optional(Identifier),
  authTokenId: Type.Optional(Identifier),
  organizationId: Type.Optional(Identifier),
  ...timeFilters,
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the latest requests to the workspace, newest first. */
export const getRequests = operation({
  path: "/v2/workspace/requests/get",
  summary: "Read the request log",
  description:
    "Returns at least the last 10,000 requests of backends and users to the workspace, newest first, without bodies " +
    "and secrets. Requests with the API key of the workspace and a wrong, revoked or expired auth token are logged " +
    "too, and requests with right credentials to unknown paths: ten a minute of each client address, sixty of the " +
    "workspace, and at least the last 1,000. Requests of the console and requests with an unknown API key are not " +
    "logged. Requests appear within two seconds and are deleted after `REQUEST_RETENTION_DAYS`; those of the last " +
    "second before a process is killed may be missing. If there are more, the response has a `pageToken`; send it " +
    "with the same filters.",
  message: "Requests retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Array(LoggedRequest),
  cursor: Type.Array(Type.Integer(), { description: "time, chunk, place in the chunk" }),
  example: { statuses: ["INVALID_ARGUMENT", "PERMISSION_DENIED"], pageSize: 100 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<number[]>,
  { pageSize = DEFAULT_PAGE_SIZE, ...filters }: Static<typeof Request>,
) {
  const page = { after: cursor, pageSize };
  const { records, next } = await selectRequestPage(database, workspace.id, filters, page);
  return new Page(new JsonText(records), next);
}
