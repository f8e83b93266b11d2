import Type, { type Static } from "typebox";
import { MessageKey } from "../../contract/message-key.ts";
import { FreeFormUserValues, FreeFormValue, Identifier, PastTime, User } from "../../contract/schema.ts";

/** Fields that `update` can replace. `null` is a value like any other. */
export const changeableActivityFields = {
  changes: Type.Optional(
    Type.Union([FreeFormUserValues, Type.Null()], { description: "Changes by field name, each as { from, to }." }),
  ),
  entityData: Type.Optional(FreeFormValue),
  entityTargetData: Type.Optional(FreeFormValue),
  displayMessageTemplate: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "Text with {{variable}} placeholders." }),
  ),
  displayMessageTemplateData: Type.Optional(Type.Union([FreeFormUserValues, Type.Null()])),
  messageKey: MessageKey,
  actionIcon: Type.Optional(Type.Union([Type.String(), Type.Null()])),
};

export const FEATURE_TYPES = ["comment", "reaction", "recorder", "crdt", "custom"] as const;
const FeatureType = Type.Enum(FEATURE_TYPES);
/** List of features to filter by. */
export const FeatureTypes = Type.Array(FeatureType, { minItems: 1, maxItems: 1000 });

/** Fields that are returned as they were sent. */
const sentFields = {
  featureType: FeatureType,
  actionType: Identifier,
  actionUser: User,
  targetEntityId: Type.Optional(Identifier),
  targetSubEntityId: Type.Optional(Identifier),
  ...changeableActivityFields,
  isActivityResolverUsed: Type.Optional(Type.Boolean()),
};

export const NewActivity = Type.Object({
  id: Type.Optional(Identifier),
  ...sentFields,
  timestamp: Type.Optional(PastTime),
});
export type NewActivity = Static<typeof NewActivity>;

export const Activity = Type.Object(
  {
    id: Identifier,
    ...sentFields,
    metadata: Type.Object({ apiKey: Type.String(), documentId: Identifier, organizationId: Identifier }),
    timestamp: Type.Integer({
      description: "Milliseconds since the epoch: the time of the request, or the given time.",
    }),
  },
  { title: "Activity" },
);
