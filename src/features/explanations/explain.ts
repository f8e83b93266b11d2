import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { Preference } from "../notifications/config/notification-config.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { explainNotification } from "./explain-notification.ts";
import { RULES } from "./explanation.ts";
import { selectSetPreferences } from "./explanation-queries.ts";

const Explanation = Type.Object({
  rule: Type.Enum(RULES, { description: "The rule that decided." }),
  explanation: Type.String({ description: "What it means, for operators." }),
});

const UserExplanation = Type.Object(
  {
    userId: Type.String(),
    inbox: Explanation,
    email: Explanation,
    readAt: Type.Optional(
      Type.Integer({ description: "Time at which the user read it, in milliseconds since the epoch." }),
    ),
    preferences: Type.Array(
      Type.Object({
        documentId: Type.Optional(Type.String({ description: "Missing for the preference for the organization." })),
        inbox: Type.Optional(Preference),
        email: Type.Optional(Preference),
        slack: Type.Optional(Preference),
      }),
      { description: "Channels that are not set have the value for the organization, or else `ALL`." },
    ),
  },
  {
    title: "NotificationExplanation",
    examples: [
      {
        userId: "grace",
        inbox: { rule: "delivered", explanation: "The notification is in the user's inbox." },
        email: {
          rule: "no-mail-event",
          explanation: "The notification was added by the API. Only comment events send mail.",
        },
        preferences: [
          { inbox: "ALL", email: "NONE" },
          { documentId: "contract-7", inbox: "MINE" },
        ],
      },
    ],
  },
);

const Request = Type.Object({
  organizationId: Identifier,
  notificationId: Identifier,
  userIds: Type.Array(Identifier, { minItems: 1, maxItems: 20 }),
});

/** Explains for some users why they did or did not get a notification. */
export const explainNotifications = operation({
  path: "/v2/notifications/explain",
  summary: "Explain who got a notification",
  description:
    "Returns for each of `userIds`, in their order, the rule that decided for the inbox and for mails, `readAt` once " +
    "the user has read it, and the `preferences` that are set for the organization and for the document of the " +
    "notification. The rule judges by stored data and current settings: `read` says that it has left the inbox, " +
    "`delivered` that it is there, read or not, `not-permitted` that the user cannot read the document, and " +
    "`changed-since` that a preference was changed after the notification was added.",
  message: "Notification explained.",
  scope: "read",
  request: Request,
  response: Type.Array(UserExplanation),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", notificationId: "signature-1", userIds: ["grace"] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, notificationId, userIds }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  await requireAccessible(scope);
  const preferences = await selectSetPreferences(scope, { notificationId, userIds });
  const explained = [];
  for (const userId of userIds) {
    const channels = await explainNotification(scope, { userId, notificationId });
    explained.push({ userId, ...channels, preferences: preferences.get(userId) ?? [] });
  }
  return explained;
}
