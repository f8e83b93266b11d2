import Type, { type Static } from "typebox";
import { invalidField } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { Endpoint, requireAdvancedWebhooks, toEndpoint } from "./endpoint.ts";
import { selectEndpoints } from "./webhook-endpoint-queries.ts";

const DEFAULT_LIMIT = 50;
const Iterator = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Request = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 250, default: DEFAULT_LIMIT })),
  iterator: Type.Optional(
    Type.String({ maxLength: 64, description: "`iterator` or `prevIterator` of a response, unchanged." }),
  ),
});

/** Lists endpoints, oldest first. An iterator is the ID after which a page begins, or with `-` before which it ends. */
export const getWebhookEndpoints = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/get",
  summary: "List webhook endpoints",
  description:
    "Returns endpoints oldest first, without their secrets. FAILED_PRECONDITION unless advanced webhooks are enabled.",
  message: "Webhook endpoints retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Object({
    endpoints: Type.Array(Endpoint),
    iterator: Iterator("Continues after this page. Null at the end."),
    prevIterator: Iterator("Returns the page before this one. Null on the first page."),
    done: Type.Boolean({ description: "Whether this is the last page in the direction of the iterator." }),
  }),
  errors: ["FAILED_PRECONDITION"],
  example: { limit: 50 },
  handle,
});

async function handle(context: Context, { limit = DEFAULT_LIMIT, iterator }: Static<typeof Request>) {
  const { workspace, database } = context;
  await requireAdvancedWebhooks(context, database);
  const { after, before } = getIds(iterator);
  const found = await selectEndpoints(database, workspace.id, { after, before, limit: limit + 1 });
  const done = found.length <= limit;
  const rows = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  const [first, last] = [rows.at(0)?.id, rows.at(-1)?.id];
  const hasPrevious = before === undefined ? after !== undefined : !done;
  return {
    endpoints: rows.map(toEndpoint),
    iterator: last !== undefined && (before !== undefined || !done) ? last : null,
    prevIterator: first !== undefined && hasPrevious ? `-${first}` : null,
    done,
  };
}

function getIds(iterator: string | undefined): { after?: string; before?: string } {
  if (iterator === undefined) return {};
  const id = iterator.replace(/^-/, "");
  if (!isUuid(id)) throw invalidField("data.iterator", "is not an iterator of this operation");
  return iterator.startsWith("-") ? { before: id } : { after: id };
}
