import Type from "typebox";
import { Identifier, Identifiers, MAX_TIME, Order, PageSize, PageToken } from "../../../contract/schema.ts";
import { AgentType } from "../comments/agent.ts";

const Time = Type.Optional(
  Type.Integer({ minimum: 0, maximum: MAX_TIME, description: "Milliseconds since the epoch, exclusive." }),
);

const agentFilters = {
  agentId: Type.Optional(Identifier),
  executionId: Type.Optional(Identifier),
  agentType: Type.Optional(AgentType),
  agentSource: Type.Optional(Identifier),
  agentSuggestions: Type.Optional(Type.Boolean({ description: "Only pending suggestions of agents." })),
  agentComments: Type.Optional(Type.Boolean({ description: "Only annotations of agents." })),
};

const AGENT_FILTERS = Object.keys(agentFilters);

const Fields = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    documentIds: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 30 })),
    folderId: Type.Optional(Identifier),
    locationIds: Type.Optional(Identifiers),
    anchorEditorIds: Type.Optional(Identifiers),
    annotationIds: Type.Optional(Identifiers),
    userIds: Type.Optional(Identifiers),
    mentionedUserIds: Type.Optional(Identifiers),
    statusIds: Type.Optional(Identifiers),
    statusId: Type.Optional(Identifier),
    resolvedBy: Type.Optional(Identifier),
    ...agentFilters,
    order: Type.Optional(Order),
    createdAfter: Time,
    createdBefore: Time,
    updatedAfter: Time,
    updatedBefore: Time,
    resolveAnchors: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Whether to find the passages of anchors in the collaborative documents as they are stored now.",
      }),
    ),
    groupByDocumentId: Type.Optional(Type.Boolean({ default: false })),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  (request) => Object.entries(request).filter(([name, value]) => value && AGENT_FILTERS.includes(name)).length <= 1,
  () => `must have at most one of ${AGENT_FILTERS.join(", ")}`,
);

export const GetRequest = Type.Refine(
  Fields,
  ({ resolveAnchors, documentId }) => !resolveAnchors || documentId !== undefined,
  () => "must have documentId with resolveAnchors",
);
