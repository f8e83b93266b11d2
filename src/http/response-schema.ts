import Type, { type TObjectOptions, type TSchema } from "typebox";
import { ACCESS_ROLES } from "../contract/end-user.ts";
import type { Operation } from "../contract/operation.ts";
import { ACCEPTED, DEFAULT_PAGE_TOKEN_NAMES } from "./response.ts";

const NEXT_PAGE_TOKEN = Type.Optional(
  Type.String({ description: "Send it as `data.pageToken` to get the next page. Missing on the last page." }),
);
const NEXT_PAGE_TOKEN_OR_NULL = Type.Unsafe<string | null>({
  type: ["string", "null"],
  description: "Send it as `data.pageToken` to get the next page. Null on the last page.",
});

const EVENT_CURSOR = Type.Optional(
  Type.String({
    description:
      "Send it as `data.cursor` to `/v2/events/get`, or as `Last-Event-ID` to the event stream of this organization: " +
      "no change after this response is missed. Missing while nobody listens to events, and on further pages.",
  }),
);

const ACCESS_ROLE = Type.Optional(
  Type.Enum(ACCESS_ROLES, {
    description: "Role of the calling user on the document, if the request has a user token and names one document.",
  }),
);

/** Returns the schema of the whole body of a success. The options apply to the envelope. */
export function buildResponseSchema(operation: Operation, options: TObjectOptions = {}): TSchema {
  const {
    message,
    response,
    cursor,
    pageTokenNames = DEFAULT_PAGE_TOKEN_NAMES,
    isLastPageTokenNull,
    isAsynchronous,
    hasEventCursor,
    hasAccessRole,
  } = operation;
  const fields = {
    status: Type.Literal("success"),
    message: Type.String({ examples: [message] }),
    ...(response && { data: response }),
  };
  if (isAsynchronous) return Type.Object({ ...fields, statusCode: Type.Integer({ const: ACCEPTED }) }, options);
  const pageToken = isLastPageTokenNull ? NEXT_PAGE_TOKEN_OR_NULL : NEXT_PAGE_TOKEN;
  const pageTokens = Object.fromEntries(pageTokenNames.map((name) => [name, pageToken]));
  const added = {
    ...(hasEventCursor && { eventCursor: EVENT_CURSOR }),
    ...(hasAccessRole && { accessRole: ACCESS_ROLE }),
    ...(cursor && pageTokens),
  };
  return Type.Object({ result: Type.Object({ ...fields, ...added }, options) });
}
