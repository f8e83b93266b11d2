import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { requireAdvancedWebhooks } from "../endpoints/endpoint.ts";
import { type DeliveryFigures, selectDeliveryFigures } from "./delivery-figures-queries.ts";

const Count = Type.Integer({ minimum: 0 });
const OptionalTime = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Figures = Type.Object(
  {
    endpointId: Type.String(),
    delivered: Count,
    failed: Count,
    pending: Count,
    failingSince: OptionalTime(
      "First of the attempts that have all failed since, ISO 8601. Null if the last succeeded.",
    ),
    lastFailedAt: OptionalTime("ISO 8601. Null if none has failed."),
  },
  {
    title: "WebhookDeliveryFigures",
    examples: [
      {
        ...{ endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111", delivered: 97, failed: 2, pending: 1 },
        ...{ failingSince: null, lastFailedAt: "2026-11-24T09:30:00.120Z" },
      },
    ],
  },
);

/** Counts the deliveries to each webhook endpoint. */
export const getWebhookDeliveryFigures = operation({
  path: "/v2/workspace/advancedwebhook/deliveries/figures/get",
  summary: "Count the deliveries to each webhook endpoint",
  description:
    "Returns for each endpoint how many of its messages of the last 7 days, at most 1,000, were delivered, have " +
    "failed or are pending, and since when its attempts fail. FAILED_PRECONDITION unless advanced webhooks are " +
    "enabled.",
  message: "Webhook delivery figures retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: Type.Array(Figures),
  errors: ["FAILED_PRECONDITION"],
  example: {},
  handle,
});

async function handle({ workspace, database }: Context) {
  await requireAdvancedWebhooks({ workspace }, database);
  const found = await selectDeliveryFigures(acrossOrganizations(database), workspace.id);
  return found.map(({ failingSince, lastFailedAt, ...figures }: DeliveryFigures) => ({
    ...figures,
    failingSince: toIsoTime(failingSince),
    lastFailedAt: toIsoTime(lastFailedAt),
  }));
}

function toIsoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
