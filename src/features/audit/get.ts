import Type, { type Static } from "typebox";
import { AUDIT_ACTIONS } from "../../contract/audit.ts";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken, timeFilters } from "../../contract/schema.ts";
import { Actor } from "./actor.ts";
import { EVERY_WORKSPACE, selectAuditEntries } from "./audit-queries.ts";

const Action = Type.Enum(AUDIT_ACTIONS);
const NullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const AuditEntry = Type.Object(
  {
    id: Type.String(),
    timestamp: Type.Integer({ description: "Milliseconds since the epoch." }),
    action: Action,
    actor: Actor,
    clientAddress: NullableText("IP address of the client."),
    target: Type.Object(
      {},
      { additionalProperties: true, description: "IDs and counts of what was changed, by kind." },
    ),
  },
  {
    title: "AuditEntry",
    examples: [
      {
        id: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10",
        timestamp: 1_795_512_600_000,
        action: "auth_token.add",
        actor: { type: "session", id: "019aa5b0-2c44-7e0a-8f51-6d7c8b9a0e1f", name: "ada@example.com" },
        clientAddress: "203.0.113.7",
        target: {
          tokenId: "5b2c1d0e-8f3a-4c6b-9d7e-0a1b2c3d4e5f",
          tokenName: "billing",
          scopes: ["read"],
        },
      },
    ],
  },
);

const Request = Type.Object({
  actions: Type.Optional(Type.Array(Action, { minItems: 1, maxItems: AUDIT_ACTIONS.length })),
  actorName: Type.Optional(Identifier),
  ...timeFilters,
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the administrative acts of the workspace, newest first. */
export const getAudit = operation({
  path: "/v2/workspace/audit/get",
  summary: "Read the audit log",
  description:
    "Returns the administrative acts of the workspace, newest first: who did what, when, and from which address. " +
    "`actorName` selects those of an auth token by its name, of an owner by the address, or of a user by ID. " +
    "An entry is committed with its act and never changed; it is deleted after `AUDIT_RETENTION_DAYS`. Entries " +
    "hold no secrets and no content, and name users only as actors, until their data are deleted. A session of the " +
    "operator also sees the operator's own sessions.",
  message: "Audit log retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Array(AuditEntry),
  cursor: Type.Array(Type.Integer(), { description: "sequence" }),
  example: { actions: ["auth_token.add", "auth_token.delete"], pageSize: 100 },
  handle,
});

async function handle(
  { database, workspace, session, cursor }: Context<number[]>,
  { pageSize = DEFAULT_PAGE_SIZE, ...filters }: Static<typeof Request>,
) {
  const isOperator = session?.ownerAddress === null;
  const workspaceIds = isOperator ? [workspace.id, EVERY_WORKSPACE] : [workspace.id];
  const { records, next } = await selectAuditEntries(database, workspaceIds, filters, { after: cursor, pageSize });
  return new Page(new JsonText(records), next);
}
