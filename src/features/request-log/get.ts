import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { REQUEST_STATUSES } from "../../contract/recorded-request.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken, timeFilters } from "../../contract/schema.ts";
import { selectRequestPage } from "./request-log-queries.ts";

const Status = Type.Enum(REQUEST_STATUSES);

const LoggedRequest = Type.Object(
  {
    requestId: Type.String({ description: "The same as in the service's log." }),
    timestamp: Type.Integer({ description: "Time of the response, in milliseconds since the epoch." }),
    operation: Type.String({ description: "Path of the operation." }),
    status: Status,
    reason: Type.Union([Type.String(), Type.Null()], { description: "Reason of the failure; null for a success." }),
    httpStatus: Type.Integer(),
    durationMs: Type.Number(),
    authTokenId: Type.Union([Type.String(), Type.Null()], { description: "Null for a caller with a user token." }),
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
        httpStatus: 400,
        durationMs: 1.4,
        authTokenId: "5b2c1d0e-8f3a-4c6b-9d7e-0a1b2c3d4e5f",
      },
    ],
  },
);

const Request = Type.Object({
  operation: Type.Optional(Identifier),
  statuses: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: REQUEST_STATUSES.length })),
  requestId: Type.Optional(Identifier),
  authTokenId: Type.Optional(Identifier),
  ...timeFilters,
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the latest requests to the workspace, newest first. */
export const getRequests = operation({
  path: "/v2/workspace/requests/get",
  summary: "Read the request log",
  description:
    "Returns at least the last 10,000 requests of backends and users to the workspace, newest first, without bodies, " +
    "secrets and user IDs. Requests of the console are not logged, nor those whose credentials were wrong. Requests " +
    "appear within two seconds; those of the last second before a process is killed may be missing. If there are " +
    "more, the response has a `pageToken`; send it with the same filters.",
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
