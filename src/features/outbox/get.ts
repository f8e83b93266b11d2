import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { PageToken } from "../../contract/schema.ts";
import { readableEntries } from "./outbox.ts";

const MAX_PAGE_SIZE = 100;

export const MailSummary = Type.Object(
  {
    id: Type.String({ description: "The `mailId` of `/v2/workspace/outbox/mails/get`." }),
    createdAt: Type.Integer({ description: "Milliseconds since the epoch." }),
    to: Type.String(),
    subject: Type.String(),
  },
  { title: "MailSummary" },
);

const Request = Type.Object({
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE })),
  pageToken: Type.Optional(PageToken),
});

const Cursor = Type.Object({ after: Type.String() }, { description: "the name of a file" });

/** Lists the mails in the outbox, newest first. Reads the names of all files, and the headers of those on the page. */
export const getOutbox = operation({
  path: "/v2/workspace/outbox/get",
  summary: "List the mails in the outbox",
  description:
    "Returns the mails of the workspace that are kept because no mail server is configured, newest first. Mails " +
    "of an organization are shown only while it is neither disabled nor being deleted. Each host has its own " +
    "outbox, and the response shows the outbox of the host that responds. If there are more, the response has a " +
    "`pageToken`.",
  message: "Outbox retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Array(MailSummary),
  cursor: Cursor,
  example: { pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, mailer: { outbox }, cursor }: Context<Static<typeof Cursor>>,
  { pageSize = MAX_PAGE_SIZE }: Static<typeof Request>,
) {
  const entries = await readableEntries(database, outbox, workspace.id);
  const afterCursor = cursor ? entries.filter(({ name }) => name < cursor.after) : entries;
  const page = afterCursor.slice(0, pageSize);
  const mails = await Promise.all(
    page.map(async (entry) => {
      const headers = await outbox.readHeaders(entry);
      if (!headers) return [];
      return [{ id: entry.id, createdAt: entry.createdAt, to: headers.to, subject: headers.subject }];
    }),
  );
  const last = afterCursor.length > page.length ? page.at(-1) : undefined;
  return new Page(new JsonText(JSON.stringify(mails.flat())), last && { after: last.name });
}
