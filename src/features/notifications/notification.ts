import Type, { type Static } from "typebox";
import { FreeFormObject, Identifier, Identifiers, User } from "../../contract/schema.ts";

/** The fields that `update` can replace, but for `actionUser`; `null` is a value like any other. */
const contentFields = {
  displayHeadlineMessageTemplate: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "Main message with {variable} placeholders." }),
  ),
  displayHeadlineMessageTemplateData: Type.Optional(
    Type.Union([FreeFormObject, Type.Null()], { description: "Values of the placeholders." }),
  ),
  displayBodyMessage: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Secondary message." })),
  notificationSourceData: Type.Optional(Type.Union([FreeFormObject, Type.Null()])),
};

export const newNotificationFields = {
  locationId: Type.Optional(Identifier),
  notificationId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[A-Za-z0-9_-]+$",
      description: "Letters, digits, `_` and `-`. Without it, the notification gets a UUID.",
    }),
  ),
  actionUser: User,
  notifyUsers: Type.Array(User, { maxItems: 1000, description: "Users to notify." }),
  notifyAll: Type.Optional(
    Type.Boolean({ default: true, description: "Whether to notify the other users of the organization too." }),
  ),
  ...contentFields,
  notificationSource: Type.Optional(Type.String({ default: "custom" })),
  isNotificationResolverUsed: Type.Optional(
    Type.Boolean({ description: "Whether your own resolver provides the messages." }),
  ),
};

const NewNotification = Type.Object(newNotificationFields);
export type NewNotification = Static<typeof NewNotification>;

export const NotificationUpdate = Type.Object({
  id: Identifier,
  actionUser: Type.Optional(User),
  ...contentFields,
  readByUserIds: Type.Optional(Identifiers),
  persistReadForUsers: Type.Optional(
    Type.Boolean({ description: "Whether read notifications stay in the inbox.", default: false }),
  ),
});
export type NotificationUpdate = Static<typeof NotificationUpdate>;

const True = Type.Literal(true);

export const Notification = Type.Object({
  id: Identifier,
  notificationSource: Type.String(),
  actionUser: User,
  ...contentFields,
  metadata: Type.Object({
    apiKey: Type.String(),
    documentId: Identifier,
    organizationId: Identifier,
    locationId: Type.Optional(Identifier),
  }),
  notifyUsers: Type.Record(Type.String(), True, { description: "Users to notify, by user key." }),
  notifyUsersByUserId: Type.Record(Type.String(), True, { description: "Users to notify, by user ID." }),
  timestamp: Type.Integer({ description: "Milliseconds since the epoch, set by the service." }),
});

/** The fields that say which notifications are meant. */
export const scopeFields = {
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  locationId: Type.Optional(Identifier),
  userId: Type.Optional(Identifier),
};

export interface Scope {
  documentId?: string | undefined;
  locationId?: string | undefined;
  userId?: string | undefined;
  notificationIds?: string[] | undefined;
}

const SCOPES = "organizationId with documentId, or organizationId with userId, or with both";

/** Those of `get`, where a document's id finds its organization. */
export const foundScopeFields = {
  ...scopeFields,
  organizationId: Type.Optional(Identifier),
};

export interface FoundScope extends Scope {
  organizationId?: string | undefined;
}

export function isFindingScope({ organizationId, documentId, locationId, userId }: FoundScope): boolean {
  if (organizationId !== undefined) return isReadingScope({ documentId, userId });
  return documentId !== undefined && (userId !== undefined || locationId !== undefined);
}

export function findingScopeFault(): string {
  return `${readingScopeFault()}; or documentId with userId, with locationId or with both`;
}

export function isReadingScope({ documentId, userId }: Scope): boolean {
  return documentId !== undefined || userId !== undefined;
}

export function readingScopeFault(): string {
  return `must have one of these combinations: ${SCOPES}; each may have locationId and notificationIds too`;
}

/** A location without its document is no scope to change something in. */
export function isUpdatingScope({ documentId, locationId, userId }: Scope): boolean {
  return documentId !== undefined || (userId !== undefined && locationId === undefined);
}

export function updatingScopeFault(): string {
  return `must have one of these combinations: ${SCOPES}; those with documentId may have locationId too`;
}
