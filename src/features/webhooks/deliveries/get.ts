import Type, { type Static } from "typebox";
import { invalidField } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { requireEndpoint } from "../endpoints/require-endpoint.ts";
import { type StoredDelivery, selectDeliveries } from "./webhook-delivery-queries.ts";

const DEFAULT_LIMIT = 50;
const STATUSES = ["pending", "delivered", "failed", "canceled"] as const;

const Attempt = Type.Object(
  {
    attemptedAt: Type.String({ description: "ISO 8601." }),
    latencyMs: Type.Integer(),
    httpStatus: Type.Union([Type.Integer(), Type.Null()], { description: "Null if there was no response." }),
    response: Type.String({ description: "The first 2 KiB of the response." }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why there was no response." }),
  },
  { title: "WebhookAttempt" },
);

const Delivery = Type.Object(
  {
    deliveryId: Type.String({ description: "The `webhook-id` of the message." }),
    event: Type.String(),
    organizationId: Type.String(),
    documentId: Type.Union([Type.String(), Type.Null()]),
    status: Type.Enum(STATUSES, {
      description: "`canceled` if the endpoint was disabled, or advanced webhooks were turned off, first.",
    }),
    createdAt: Type.String({ description: "ISO 8601." }),
    nextAttemptAt: Type.Union([Type.String(), Type.Null()], { description: "Null if no attempt follows." }),
    attempts: Type.Array(Attempt, { description: "The last attempts, oldest first." }),
  },
  {
    title: "WebhookDelivery",
    examples: [
      {
        deliveryId: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10",
        event: "comment.add",
        organizationId: "acme",
        documentId: "contract-7",
        status: "delivered",
        createdAt: "2026-11-24T09:30:00.000Z",
        nextAttemptAt: null,
        attempts: [
          { attemptedAt: "2026-11-24T09:30:00.120Z", latencyMs: 84, httpStatus: 200, response: "ok", error: null },
        ],
      },
    ],
  },
);

const Request = Type.Object({
  endpointId: Identifier,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 250, default: DEFAULT_LIMIT })),
  statuses: Type.Optional(
    Type.Array(Type.Enum(STATUSES), { minItems: 1, description: "Only deliveries with one of these statuses." }),
  ),
  iterator: Type.Optional(Type.String({ maxLength: 64, description: "`iterator` of a response, unchanged." })),
});

/** Lists the deliveries to an endpoint, newest first. */
export const getWebhookDeliveries = operation({
  path: "/v2/workspace/advancedwebhook/deliveries/get",
  summary: "List the deliveries to a webhook endpoint",
  description:
    "Returns the messages to an endpoint of the last 7 days, at most 1,000, newest first, with their attempts. " +
    "FAILED_PRECONDITION unless advanced webhooks are enabled.",
  message: "Webhook deliveries retrieved.",
  scope: "read",
  request: Request,
  response: Type.Object({
    deliveries: Type.Array(Delivery),
    iterator: Type.Union([Type.String(), Type.Null()], { description: "Continues after this page, or null." }),
    done: Type.Boolean({ description: "Whether this is the last page." }),
  }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111", limit: 50 },
  handle,
});

async function handle(
  context: Context,
  { endpointId, limit = DEFAULT_LIMIT, statuses, iterator }: Static<typeof Request>,
) {
  const { id } = await requireEndpoint(context, endpointId);
  if (iterator !== undefined && !isUuid(iterator)) {
    throw invalidField("data.iterator", "is not an iterator of this operation");
  }
  const found = await selectDeliveries(acrossOrganizations(context.database), id, {
    before: iterator,
    statuses,
    limit: limit + 1,
  });
  const done = found.length <= limit;
  const page = found.slice(0, limit);
  return { deliveries: page.map(toDelivery), iterator: done ? null : (page.at(-1)?.id ?? null), done };
}

function toDelivery({ id, event, documentId, status, createdAt, nextAt, attempts }: StoredDelivery) {
  return {
    ...{ deliveryId: id, event: event.kind, organizationId: event.organizationId, documentId, status },
    createdAt: new Date(createdAt).toISOString(),
    nextAttemptAt: nextAt === null ? null : new Date(nextAt).toISOString(),
    attempts: attempts.map((attempt) => ({ ...attempt, attemptedAt: new Date(attempt.attemptedAt).toISOString() })),
  };
}
