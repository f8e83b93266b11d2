import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { Identifier, PageToken } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { acrossOrganizations, openOrganization } from "../../tenancy/organization-scope.ts";
import { selectWorkspaceMails, WORKSPACE_MAIL_KINDS } from "../../workspaces/workspace-mail-queries.ts";
import { MAIL_STATES, selectMailDeliveries } from "./mail-delivery-queries.ts";

const MAX_PAGE_SIZE = 100;

const State = Type.Enum(MAIL_STATES, {
  description:
    "`queued`: waits for its first attempt. `deferred`: an attempt failed, and another one follows. `sent`: the mail " +
    "server accepted it, or it is in the outbox. `rejected`: the mail server refused it for good, or a test mail at " +
    "its only attempt. `uncertain`: the connection or the process ended during an attempt, and it is not repeated. " +
    "`expired`: given up after three days of attempts, a login link after 15 minutes. `canceled`: it was not to be " +
    "sent any more.",
});

const Time = (what: string) => Type.Integer({ description: `${what}, in milliseconds since the epoch.` });

const OrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const MailDelivery = Type.Object(
  {
    mailId: Type.String({ description: "The same as in the service's log and, for a mail kept there, in the outbox." }),
    kind: Type.Enum(["notification", ...WORKSPACE_MAIL_KINDS], {
      description:
        "`notification`: about comments in a document of an organization. The others belong to no organization. " +
        "`test`: a test mail. `login_link`: a link with which the owner of the workspace signs in. " +
        "`webhook_disabled`: tells the owner that a webhook endpoint was disabled.",
    }),
    organizationId: OrNull("Null unless it is a notification."),
    documentId: OrNull("Null unless it is a notification."),
    annotationIds: Type.Array(Type.String(), { description: "The annotations that the mail is about." }),
    userId: OrNull("The recipient. Null unless it is a notification."),
    address: Type.String({ description: "Email address of the recipient when the mail was queued." }),
    triggers: Type.Array(Type.String(), { description: "Types of the events that the mail is about." }),
    state: State,
    reason: OrNull(
      "The mail server's response, without addresses, such as `550 5.1.1 mailbox unavailable`, or a sentence that " +
        "says why the mail was not sent. A response to the content is shortened to its codes. Null if there is no " +
        "more to say.",
    ),
    attempts: Type.Integer({ description: "Number of attempts that have ended." }),
    createdAt: Time("Time at which the mail was queued"),
    updatedAt: Time("Time of the last change of its state"),
  },
  {
    title: "MailDelivery",
    examples: [
      {
        mailId: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10",
        kind: "notification",
        organizationId: "acme",
        documentId: "contract-7",
        annotationIds: ["thread-1"],
        userId: "grace",
        address: "grace@example.com",
        triggers: ["comment.add"],
        state: "rejected",
        reason: "550 5.1.1 mailbox unavailable: suppressed after bounce",
        attempts: 1,
        createdAt: 1_795_512_600_000,
        updatedAt: 1_795_512_600_412,
      },
    ],
  },
);

const Request = Type.Object({
  organizationId: Type.Optional(Identifier),
  userId: Type.Optional(Identifier),
  state: Type.Optional(State),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE })),
  pageToken: Type.Optional(PageToken),
});

const Cursor = Type.Object({ before: Type.String() }, { description: "the ID of a mail" });

/** Lists what became of the mails, newest first. */
export const getMailDeliveries = operation({
  path: "/v2/workspace/mails/get",
  summary: "List the mails and what became of them",
  description:
    "Returns the mails of the last `MAIL_RETENTION_DAYS`, newest first, with the mail server's response: those to " +
    "users, test mails, login links to the owner, and notices about disabled webhook endpoints. Their texts and " +
    "links are not stored. Mails of an organization are shown only while it is neither disabled nor being deleted. " +
    "Only mails to users match the filters `organizationId` and `userId`. If there are more, the response has a " +
    "`pageToken`; send it with the same filters.",
  message: "Mails retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(MailDelivery),
  cursor: Cursor,
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", state: "rejected", pageSize: 50 },
  handle,
});

const OF_NO_ORGANIZATION = { organizationId: null, documentId: null, annotationIds: [], userId: null, triggers: [] };

async function handle(
  { database, workspace, cursor }: Context<Static<typeof Cursor>>,
  { organizationId, userId, state, pageSize = MAX_PAGE_SIZE }: Static<typeof Request>,
) {
  const organization = organizationId === undefined ? undefined : openOrganization(database, workspace, organizationId);
  if (organization) await requireAccessible(organization);
  const filters = { organizationKey: organization?.key, userId, state };
  const page = { before: cursor?.before, limit: pageSize + 1 };
  const toUsers = await selectMailDeliveries(acrossOrganizations(database), workspace.id, filters, page);
  const isOfUsers = organizationId !== undefined || userId !== undefined;
  const others = isOfUsers ? [] : await selectWorkspaceMails(database, workspace.id, { state, ...page });
  const found = [
    ...toUsers.map((mail) => ({ kind: "notification" as const, ...mail })),
    ...others.map((mail) => ({ ...OF_NO_ORGANIZATION, ...mail })),
  ];
  const mails = found.sort((a, b) => (a.mailId < b.mailId ? 1 : -1)).slice(0, pageSize);
  const last = found.length > mails.length ? mails.at(-1) : undefined;
  return new Page(new JsonText(JSON.stringify(mails)), last && { before: last.mailId });
}
