import Type, { type Static } from "typebox";
import { invalidField } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, keyedById, perId } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { normalUrl } from "../comments/agent.ts";
import { DELETE_ANNOTATIONS } from "../end-user-rules.ts";
import { withdrawNotifications } from "../triggers/follow-changes.ts";
import { AnnotationResult } from "./annotation.ts";
import { deleteAnnotations } from "./deletion/annotation-deletion-queries.ts";
import { recordDeletions } from "./deletion/record-deletions.ts";
import { annotationScopeFields, eachLockedChunk } from "./matching.ts";

const Request = Type.Object({
  ...annotationScopeFields,
  agentId: Type.Optional(Identifier),
  agentSuggestions: Type.Optional(Type.Literal(true, { description: "Only pending suggestions of agents." })),
  agentUrls: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description: "Absolute URLs. Others are ignored." }),
  ),
});

/**
 * Deletes annotations that match every filter. Returns a result for each requested ID or, if none were sent, for each
 * deleted annotation.
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
    "annotation (the first 50,000). With a user token, an annotation of another user fails as if it did not exist.",
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
  { database, workspace, user }: Context,
  { organizationId, agentUrls, ...others }: Static<typeof Request>,
) {
  const filters = {
    ...others,
    ...{ authorId: user?.userId, seenBy: user },
    agentUrls: agentUrls?.flatMap((url) => normalUrl(url) ?? []),
  };
  if (filters.agentUrls?.length === 0) {
    throw invalidField("data.agentUrls", "must have an absolute URL, such as https://app.example.com/page");
  }
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, filters.documentId);
    return eachLockedChunk(scope, filters, async (annotations) => {
      await recordDeletions(scope, filters.documentId, annotations, user?.userId);
      const sequences = annotations.map(({ sequence }) => sequence);
      await deleteAnnotations(scope, sequences);
      await withdrawNotifications(
        scope,
        filters.documentId,
        annotations.map(({ id, sequence }) => ({ annotationId: id, sequence })),
      );
    });
  });
  return keyedById(
    [...(filters.annotationIds ?? deleted)].map((id) => [
      id,
      deleted.has(id)
        ? { success: true, id, message: "Annotation deleted." }
        : { success: false, id, message: "Annotation not found." },
    ]),
  );
}
