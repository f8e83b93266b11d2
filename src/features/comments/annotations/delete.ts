import Type, { type Static } from "typebox";
import { toIdentifiedItems } from "../../../contract/change-items.ts";
import { invalidField } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, perId } from "../../../contract/schema.ts";
import { OWN_RULE } from "../../permitted-changes/change-rule.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { normalUrl } from "../comments/agent.ts";
import { DELETE_ANNOTATIONS } from "../end-user-rules.ts";
import { buildDeletionTriggers } from "../triggers/build-triggers.ts";
import { withActivities } from "../triggers/deletion-activities.ts";
import { withdrawNotifications } from "../triggers/follow-changes.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import { AnnotationResult } from "./annotation.ts";
import { deleteAnnotations } from "./deletion/annotation-deletion-queries.ts";
import { recordDeletions } from "./deletion/record-deletions.ts";
import { annotationScopeFields, eachPermittedChunk } from "./matching.ts";

const Request = withActivities({
  ...annotationScopeFields,
  agentId: Type.Optional(Identifier),
  agentSuggestions: Type.Optional(Type.Literal(true, { description: "Only pending suggestions of agents." })),
  agentUrls: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description: "Absolute URLs. Others are ignored." }),
  ),
});

/**
 * Deletes annotations that match every filter. Returns a result for each requested ID or, if none were sent, for each
 * annotation that matched.
 */
export const deleteCommentAnnotations = operation({
  path: "/v2/commentannotations/delete",
  aliases: ["/v1/commentannotations/delete"],
  summary: "Delete comment annotations with their comments",
  description:
    "Deletes the annotations of the document that match all filters, or all annotations if none is sent. " +
    "`userIds` filters by participants, as in `/v2/commentannotations/get`; the whole annotation is deleted. " +
    "`agentId` and `agentUrls` filter by the agent of the first comment and the pages that it has checked. " +
    "With `annotationIds` the response has an item for each of these IDs, otherwise one for each deleted " +
    "annotation (the first 50,000). Users who are not moderators delete their own annotations. Those of others " +
    "fail with the `reason` `access_denied`, or as if they did not exist if they are hidden from the user.\n\nWith " +
    "`triggerActivities`, which requires `actionUser`, each annotation writes an activity `comment_annotation.delete`.",
  message: "Comment annotations deleted.",
  scope: "write",
  endUsers: DELETE_ANNOTATIONS,
  request: Request,
  deletes: ["annotationIds", "agentId", "documentId"],
  response: perId(AnnotationResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", annotationIds: ["annotation-1"] },
  handle,
});

async function handle(
  { database, workspace, jobs, user }: Context,
  { organizationId, agentUrls, actionUser, triggerActivities, ...others }: Static<typeof Request>,
) {
  const filters = {
    ...others,
    agentUrls: agentUrls?.flatMap((url) => normalUrl(url) ?? []),
  };
  if (filters.agentUrls?.length === 0) {
    throw invalidField("data.agentUrls", "must have an absolute URL, such as https://app.example.com/page");
  }
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, filters.documentId);
    const intended = { user, checkedRole: DELETE_ANNOTATIONS.role, rules: [OWN_RULE] };
    return eachPermittedChunk(scope, filters, intended, async (annotations) => {
      await recordDeletions(scope, filters.documentId, annotations, actionUser?.userId);
      const sequences = annotations.map(({ sequence }) => sequence);
      await deleteAnnotations(scope, sequences);
      await withdrawNotifications(
        scope,
        filters.documentId,
        annotations.map(({ id, sequence }) => ({ annotationId: id, sequence })),
      );
      if (actionUser && triggerActivities) {
        await runTriggers(scope, jobs, buildDeletionTriggers(filters.documentId, annotations, actionUser));
      }
    });
  });
  const messages = { changed: "Annotation deleted.", missing: "Annotation not found." };
  return toIdentifiedItems(deleted, messages, filters.annotationIds);
}
