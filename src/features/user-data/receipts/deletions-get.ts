import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../../contract/schema.ts";
import { Actor } from "../../audit/actor.ts";
import { selectDeletions } from "./receipt-queries.ts";

const Request = Type.Object({
  userId: Type.Optional(Identifier),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

const Deletion = Type.Object(
  {
    jobId: Type.String(),
    userIds: Type.Array(Type.String(), { description: "Empty after AUDIT_RETENTION_DAYS." }),
    organizationIds: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "Null for all organizations of the workspace.",
    }),
    requestedBy: Type.Union([Actor, Type.Null()], { description: "Null after AUDIT_RETENTION_DAYS." }),
    acceptedAt: Type.Integer({ description: "Milliseconds since the epoch." }),
    completedAt: Type.Union([Type.Integer(), Type.Null()], { description: "Null while the job runs." }),
    deleted: Type.Integer({ description: "Number of records that were deleted." }),
    stripped: Type.Integer({ description: "Number of records of others whose mentions of the users were removed." }),
  },
  {
    title: "Deletion",
    examples: [
      {
        jobId: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10",
        userIds: ["ada"],
        organizationIds: ["acme"],
        requestedBy: { type: "session", id: "019aa5b0-2c44-7e0a-8f51-6d7c8b9a0e1f", name: "ada@example.com" },
        acceptedAt: 1_795_512_600_000,
        completedAt: 1_795_512_645_000,
        deleted: 7,
        stripped: 1,
      },
    ],
  },
);

/** Lists the deletions of users' data. */
export const getDeletions = operation({
  path: "/v2/users/data/deletions/get",
  summary: "List the deletions of user data",
  description:
    "Returns the deletions that `/v2/users/data/delete` has started, newest first: whose data, in which " +
    "organizations, who asked, when, and how many records. With `userId` only those that name the user. The user " +
    "IDs and who asked are kept for `AUDIT_RETENTION_DAYS`. If there are more, the response has a `nextPageToken`.",
  message: "Deletions retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Array(Deletion),
  cursor: Type.Tuple([Type.Integer(), Type.String()], { description: "time, job ID" }),
  pageTokenNames: ["nextPageToken"],
  example: { userId: "ada", pageSize: 100 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<[number, string]>,
  { userId, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof Request>,
) {
  const found = await selectDeletions(database, workspace.id, { userId, after: cursor, limit: pageSize + 1 });
  const deletions = found.slice(0, pageSize);
  const last = found.length > pageSize ? deletions.at(-1) : undefined;
  const next: [number, string] | undefined = last && [last.acceptedAt, last.jobId];
  return new Page(new JsonText(JSON.stringify(deletions)), next);
}
