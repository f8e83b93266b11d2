import Type, { type Static } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { MailSummary } from "./get.ts";
import { readableEntries } from "./outbox.ts";

const Mail = Type.Interface(
  [MailSummary],
  { from: Type.String(), text: Type.String(), html: Type.String() },
  { title: "Mail" },
);

const Request = Type.Object({ mailId: Identifier });

/** Reads one mail. Searches the id among the workspace's own files and never builds a path from it. */
export const getOutboxMail = operation({
  path: "/v2/workspace/outbox/mails/get",
  summary: "Read a mail in the outbox",
  description:
    "Returns a mail that `/v2/workspace/outbox/get` lists, as plain text and HTML. `html` contains escaped texts " +
    "of users; display it like any untrusted page, in a frame without scripts. Any other ID is NOT_FOUND.",
  message: "Mail retrieved.",
  scope: "admin",
  request: Request,
  response: Mail,
  errors: ["NOT_FOUND"],
  example: { mailId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  handle,
});

async function handle({ database, workspace, mailer: { outbox } }: Context, { mailId }: Static<typeof Request>) {
  const entries = await readableEntries(database, outbox, workspace.id);
  const entry = entries.find(({ id }) => id === mailId);
  const mail = entry && (await outbox.read(entry));
  if (!mail) throw new ServiceError("not_found", "There is no such mail in the outbox of this server.");
  return { id: entry.id, createdAt: entry.createdAt, ...mail };
}
