import Type, { type Static } from "typebox";
import { AccessContext } from "../../contract/access-context.ts";
import { MessageKey } from "../../contract/message-key.ts";
import {
  FreeFormObject,
  FreeFormUserValues,
  Identifier,
  PastTime,
  User,
  withUsualFields,
} from "../../contract/schema.ts";
import type { AccessUser } from "../access/access-queries.ts";

const Location = Type.Object(
  { id: Identifier, locationName: Type.Optional(Type.String()) },
  { additionalProperties: true, description: "Place in the document. Its `id` is the `locationId`." },
);

/** Fields, besides `actionUser`, that `update` can replace. `null` is stored as a value. */
const contentFields = {
  displayHeadlineMessageTemplate: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "Main message with {variable} placeholders." }),
  ),
  displayHeadlineMessageTemplateData: Type.Optional(
    Type.Union([FreeFormUserValues, Type.Null()], { description: "Values of the placeholders." }),
  ),
  messageKey: MessageKey,
  displayBodyMessage: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Secondary message." })),
  displayBodyMessageTemplate: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "Secondary message with {variable} placeholders." }),
  ),
  displayBodyMessageTemplateData: Type.Optional(
    Type.Union([FreeFormUserValues, Type.Null()], { description: "Values of the placeholders." }),
  ),
  notificationSourceData: Type.Optional(Type.Union([FreeFormUserValues, Type.Null()])),
  location: Type.Optional(Type.Union([Location, Type.Null()])),
};

const Context = Type.Optional(Type.Union([AccessContext, Type.Null()]));

/** Metadata as it is sent. */
const Metadata = Type.Optional(
  Type.Union([FreeFormObject, Type.Null()], { description: "Further fields of the notification's metadata." }),
);
const NotifyUsers = Type.Array(User, { maxItems: 1000, description: "Users to notify." });

export const newNotificationFields = {
  locationId: Type.Optional(Identifier),
  notificationId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[A-Za-z0-9_-]+$",
      description: "Must only have letters, digits, _ and -. Without it, the notification gets a UUID.",
    }),
  ),
  actionUser: User,
  notifyUsers: NotifyUsers,
  notifyAll: Type.Optional(
    Type.Boolean({ default: true, description: "Whether to notify the other users of the organization too." }),
  ),
  ...contentFields,
  context: Context,
  metadata: Metadata,
  notificationSource: Type.Optional(Type.String({ default: "custom" })),
  isNotificationResolverUsed: Type.Optional(
    Type.Boolean({ description: "Whether your own resolver provides the messages." }),
  ),
  timestamp: Type.Optional(PastTime),
};

const NewNotification = Type.Object(newNotificationFields);
export type NewNotification = Static<typeof NewNotification>;

export const persistReadForUsers = Type.Optional(
  Type.Boolean({ description: "Whether read notifications stay in the inbox.", default: false }),
);

export const NotificationUpdate = Type.Object({
  id: Identifier,
  actionUser: Type.Optional(User),
  ...contentFields,
  context: Context,
  metadata: Metadata,
  notifyUsers: Type.Optional(NotifyUsers),
  readByUserIds: Type.Optional(Type.Array(Identifier, { maxItems: 1000 })),
  persistReadForUsers: Type.Optional(
    Type.Boolean({
      description: "Whether read notifications stay in the inbox. Has no effect without `readByUserIds`.",
      default: false,
    }),
  ),
  verifyUserPermissions: Type.Optional(Type.Boolean({ description: "Sets it for this notification alone." })),
});
export type NotificationUpdate = Static<typeof NotificationUpdate>;

const commentEvent = {
  actionType: Type.Optional(Type.String({ description: "For example `comment.add`." })),
  annotationId: Type.Optional(Identifier),
  annotationNumber: Type.Optional(
    Type.Integer({
      description: "Number of the annotation in its document. A notification that it was added has none.",
    }),
  ),
  commentId: Type.Optional(Type.Integer()),
};

/** Fields of the notifications of comments. Others have what was sent. */
const SourceData = withUsualFields(
  FreeFormUserValues,
  Type.Object(
    {
      ...commentEvent,
      commentText: Type.Optional(Type.String()),
      changes: Type.Optional(Type.Object({}, { additionalProperties: true, description: "Changes by field name." })),
      activities: Type.Optional(
        Type.Array(
          Type.Object({ ...commentEvent, updateId: Type.Optional(Type.String()), actionUser: Type.Optional(User) }),
          { description: "Events of a digest, oldest first." },
        ),
      ),
    },
    {
      title: "NotificationSourceData",
      additionalProperties: true,
      description:
        "Fields in notifications whose `notificationSource` is `comment`. Other notifications have what was sent.",
    },
  ),
);

const True = Type.Literal(true);

export const Notification = Type.Object(
  {
    id: Identifier,
    notificationSource: Type.String(),
    actionUser: User,
    ...contentFields,
    notificationSourceData: Type.Optional(Type.Union([SourceData, Type.Null()])),
    context: Type.Optional(
      Type.Union([FreeFormObject, Type.Null()], {
        description: "The context as it was sent, with `accessFields` if it has `access`.",
      }),
    ),
    metadata: Type.Object(
      {
        apiKey: Type.String(),
        documentId: Identifier,
        organizationId: Identifier,
        locationId: Type.Optional(Identifier),
      },
      { additionalProperties: true },
    ),
    notifyUsers: Type.Record(Type.String(), True, { description: "Users to notify, by user key." }),
    notifyUsersByUserId: Type.Record(Type.String(), True, { description: "Users to notify, by user ID." }),
    timestamp: Type.Integer({
      description: "Milliseconds since the epoch: the time of the request, or the given time.",
    }),
    readAtByUserId: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          "Times at which users read it, in milliseconds since the epoch: the first 100. Absent if `userId` is given.",
      }),
    ),
    archivedAtByUserId: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: "Times at which these users archived it, in milliseconds since the epoch. Absent if none has.",
      }),
    ),
    isRead: Type.Optional(Type.Boolean({ description: "Whether the user of `userId` has read it." })),
    readAt: Type.Optional(
      Type.Integer({ description: "Time at which the user of `userId` read it, in milliseconds since the epoch." }),
    ),
    archivedAt: Type.Optional(
      Type.Integer({
        description: "Time at which the user of `userId` archived it, in milliseconds since the epoch.",
      }),
    ),
  },
  { title: "Notification" },
);

/** Fields that select notifications. */
export const notificationScopeFields = {
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  locationId: Type.Optional(Identifier),
  userId: Type.Optional(Identifier),
};

/** Filter by the archive of a user. */
export const Archived = Type.Enum(["exclude", "only", "include"], {
  default: "exclude",
  description:
    "Whether to leave out the notifications that the user has archived, to select only these, or to select both. " +
    "Requires `organizationId` and `userId`.",
});
type Archived = Static<typeof Archived>;

/** Returns whether the filter by an archive names whose archive it is. */
export function isArchiveOfUser({ organizationId, userId, archived }: ReadSelection): boolean {
  return archived === undefined || (organizationId !== undefined && userId !== undefined);
}

/** Returns the message for a filter that isArchiveOfUser rejects. */
export function archiveMessage(): string {
  return "must have organizationId and userId if it has archived";
}

/** Combination of filters that selects the notifications of an organization. */
export interface Selection {
  documentId?: string | undefined;
  locationId?: string | undefined;
  userId?: string | undefined;
  notificationIds?: string[] | undefined;
  /** `exclude` by default. Other values require `userId`. */
  archived?: Archived | undefined;
  /** User who must be allowed to see the notifications. Requires `userId`, of the same user. */
  seenBy?: AccessUser | undefined;
}

const SCOPES = "organizationId with documentId, or organizationId with userId, or with both";

/** Fields that select notifications to read. Without an organization, those of the document are found. */
export const readScopeFields = {
  ...notificationScopeFields,
  organizationId: Type.Optional(Identifier),
};

/** Beginning of the description of a read operation, which ends with the order. */
export const READ_DESCRIPTION =
  "Accepts `organizationId` with `documentId`, with `userId` or with both; each also with `locationId` and " +
  "`notificationIds`. Without `organizationId`, `documentId` with `userId`, with `locationId` or with both " +
  "reads every organization that has a document with this ID; the request is rejected if one of them is " +
  "disabled.\n\nWith `userId` the response is the inbox of that user, with `isRead` and, once read, `readAt`, " +
  "without the notifications of documents that the user cannot read at that moment. " +
  "Without `userId` it has all notifications, read ones included, with `readAtByUserId`. Notifications are ordered " +
  "newest first";

/** Selection of a read operation, which can omit the organization. */
export interface ReadSelection extends Selection {
  organizationId?: string | undefined;
}

/** Returns whether a read operation accepts the scope. */
export function isReadScope({ organizationId, documentId, locationId, userId }: ReadSelection): boolean {
  if (organizationId !== undefined) return isScope({ documentId, userId });
  return documentId !== undefined && (userId !== undefined || locationId !== undefined);
}

/** Returns the message for a scope that isReadScope rejects. */
export function readScopeMessage(): string {
  return `${scopeMessage()}; or documentId with userId, with locationId or with both`;
}

/** Returns whether the scope names a document or a user. */
export function isScope({ documentId, userId }: Selection): boolean {
  return documentId !== undefined || userId !== undefined;
}

/** Returns the message for a scope that isScope rejects. */
export function scopeMessage(): string {
  return `must have one of these combinations: ${SCOPES}; each may have locationId and notificationIds too`;
}

/** Returns whether `update` accepts the scope. It rejects a location without its document. */
export function isUpdateScope({ documentId, locationId, userId }: Selection): boolean {
  return documentId !== undefined || (userId !== undefined && locationId === undefined);
}

/** Returns the message for a scope that isUpdateScope rejects. */
export function updateScopeMessage(): string {
  return `must have one of these combinations: ${SCOPES}; those with documentId may have locationId too`;
}
