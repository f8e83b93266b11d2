import Type, { type Static } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { Identifier, PageToken } from "../../contract/schema.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { selectProgress, selectReceipt, selectStatus } from "./deletion/user-deletion-queries.ts";

const RECEIPT_ENTRIES = 10_000;

const Request = Type.Object({ jobId: Identifier, pageToken: Type.Optional(PageToken) });

/** Reads the progress of a deletion and, once it is complete, its receipt. */
export const getUserDataDeletionStatus = operation({
  path: "/v1/users/data/delete/status",
  aliases: ["/v2/users/data/delete/status"],
  summary: "Read the status of a user-data deletion",
  description:
    "Accepts the `jobId` that `/v1/users/data/delete` returned. Until `isDeleteCompleted` is true there is the " +
    "`progress`: the job searches each organization twice, first for the users' addresses (`finding`), then for " +
    "their data (`purging`). Afterwards there is a " +
    "`receipt`: for each organization and kind of data with changes, how many records were `deleted`, and how " +
    "many records of others were `stripped` of mentions. If there are more than 10,000 entries, the response has a " +
    "`nextPageToken`.",
  message: "User data deletion status retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Object(
    {
      isDeleteCompleted: Type.Boolean(),
      tasksLeft: Type.Integer({ minimum: 0 }),
      lastTaskCompletedTime: Type.Union([Type.Integer(), Type.Null()], {
        description: "Milliseconds since the epoch.",
      }),
      progress: Type.Optional(
        Type.Object({
          stage: Type.Enum(["finding", "purging"]),
          organizationsDone: Type.Integer({ description: "Organizations that this stage has searched." }),
          organizationsCount: Type.Integer({ description: "Organizations to search." }),
        }),
      ),
      receipt: Type.Optional(
        Type.Array(
          Type.Object(
            {
              organizationId: Type.String({ description: "Empty for data that belongs to no organization." }),
              kind: Type.String(),
              deleted: Type.Integer(),
              stripped: Type.Integer(),
            },
            { title: "DeletionReceiptEntry" },
          ),
        ),
      ),
    },
    { title: "DeletionStatus" },
  ),
  cursor: Type.Array(Type.String(), { description: "organization ID, kind" }),
  pageTokenNames: ["nextPageToken"],
  errors: ["NOT_FOUND"],
  example: { jobId: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10" },
  handle,
});

async function handle({ database, workspace, cursor }: Context<string[]>, { jobId }: Static<typeof Request>) {
  const status = await selectStatus(database, workspace.id, jobId);
  if (!status) throw new ServiceError("not_found", "There is no job with this jobId.");
  const progress = status.isDeleteCompleted ? undefined : await selectProgress(acrossOrganizations(database), jobId);
  const receipt = status.isDeleteCompleted ? await selectReceipt(database, jobId, cursor, RECEIPT_ENTRIES) : [];
  const last = receipt.length === RECEIPT_ENTRIES ? receipt.at(-1) : undefined;
  const next = last && [last.organizationId, last.kind];
  return new Page(
    new JsonText(JSON.stringify({ ...status, progress, ...(status.isDeleteCompleted && { receipt }) })),
    next,
  );
}
