import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { Actor } from "../../audit/actor.ts";
import { findWorkspace } from "../../workspaces/workspace-queries.ts";
import { selectReceipt } from "../deletion/user-deletion-queries.ts";
import { signReceipt } from "./receipt.ts";
import { selectKeptDeletion, selectKindCounts } from "./receipt-queries.ts";

/** Number of entries that a receipt lists. The counts of the kinds cover all. */
const MAX_ENTRIES = 10_000;

const Request = Type.Object({ jobId: Identifier });

const time = Type.String({
  description: "ISO 8601 with milliseconds, in UTC.",
  examples: ["2026-11-24T09:30:00.000Z"],
});
const counts = { deleted: Type.Integer({ examples: [1] }), stripped: Type.Integer({ examples: [0] }) };

const Receipt = Type.Object(
  {
    jobId: Type.String(),
    workspaceId: Type.String({ examples: ["0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111"] }),
    workspaceName: Type.String({ examples: ["Acme"] }),
    userIds: Type.Array(Type.String(), { examples: [["ada"]] }),
    organizationIds: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "Null for all organizations of the workspace.",
    }),
    requestedBy: Type.Union([Actor, Type.Null()], {
      examples: [{ type: "session", id: "019aa5b0-2c44-7e0a-8f51-6d7c8b9a0e1f", name: "ada@example.com" }],
    }),
    acceptedAt: time,
    completedAt: time,
    kinds: Type.Array(Type.Object({ kind: Type.String({ examples: ["activities"] }), ...counts }), {
      description: "Every kind of data that was searched, with the records of all organizations.",
    }),
    entriesCount: Type.Integer({ description: "Number of all entries.", examples: [1] }),
    entries: Type.Array(
      Type.Object({ organizationId: Type.String(), kind: Type.String({ examples: ["activities"] }), ...counts }),
      { description: "The first 10,000 organizations and kinds with changes, by organization and kind." },
    ),
  },
  { title: "DeletionReceipt" },
);

/** Reads the receipt of a completed deletion, signed. */
export const getDeletionReceipt = operation({
  path: "/v2/users/data/deletions/receipt/get",
  summary: "Read the signed receipt of a user-data deletion",
  description:
    "Returns whose data were deleted, in which organizations, who asked, when, and how many records of each kind, " +
    "with a `signature` under a key that is derived from `SECRET_KEY`. Keep the whole `data` as a file: " +
    "`colloquy receipt verify` checks it. `/v2/users/data/delete/status` returns all entries if there are more than " +
    "10,000. After `AUDIT_RETENTION_DAYS`, `userIds` is empty and `requestedBy` null.",
  message: "Receipt retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Object({
    receipt: Receipt,
    signature: Type.String({ examples: ["3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] }),
  }),
  errors: ["NOT_FOUND"],
  example: { jobId: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10" },
  handle,
});

async function handle({ database, workspace, secrets }: Context, { jobId }: Static<typeof Request>) {
  const kept = await selectKeptDeletion(database, workspace.id, jobId);
  if (!kept) throw new ServiceError("not_found", "There is no job with this jobId.");
  const { kinds, completedAt, acceptedAt, ...deletion } = kept;
  if (completedAt === null) {
    const message = "There is no receipt yet. Read it when /v2/users/data/delete/status says isDeleteCompleted.";
    throw new ServiceError("not_found", message);
  }
  const found = await selectKindCounts(database, jobId);
  const countsByKind = new Map(found.map(({ kind, deleted, stripped }) => [kind, { kind, deleted, stripped }]));
  const searched = [...new Set([...kinds, ...countsByKind.keys()])].sort();
  return signReceipt(secrets, {
    ...deletion,
    workspaceId: workspace.id,
    workspaceName: (await findWorkspace(database, { id: workspace.id }))?.name ?? "",
    acceptedAt: new Date(acceptedAt).toISOString(),
    completedAt: new Date(completedAt).toISOString(),
    kinds: searched.map((kind) => countsByKind.get(kind) ?? { kind, deleted: 0, stripped: 0 }),
    entriesCount: found.reduce((sum, { entries }) => sum + entries, 0),
    entries: await selectReceipt(database, jobId, undefined, MAX_ENTRIES),
  });
}
