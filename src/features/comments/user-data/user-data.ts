import { purgeRowsStep, readAddresses } from "../../purge/steps.ts";
import type { DeletedUsers, UserDataKind } from "../../purge/user-data-kind.ts";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";
import { selectCommentPage, selectReactionPage, selectStartedPage } from "./comment-purge-queries.ts";
import { purgeFromAnnotations } from "./purge-annotations.ts";
import { KEPT_OF_ANNOTATIONS } from "./redact-annotation.ts";
import { readTaggedAddresses, TAGS } from "./tagged-address-queries.ts";

const ANNOTATIONS = { table: "comment_annotations", key: ["id"], writtenAt: "written_at", hasBytes: true };
const COMMENTS = { table: "comments", key: ["annotation_sequence", "id"], writtenAt: "created_at", hasBytes: true };
const REACTIONS = {
  table: "comment_reactions",
  key: ["annotation_sequence", "comment_id", "reaction", "user_id"],
  writtenAt: "created_at",
  hasBytes: false,
};

async function* findAddresses(organization: StoredOrganization, users: DeletedUsers): AsyncGenerator<string> {
  yield* readAddresses(organization, ANNOTATIONS, "from", users);
  yield* readAddresses(organization, COMMENTS, "from", users);
  yield* readAddresses(organization, REACTIONS, "", users);
  yield* readTaggedAddresses(organization, users);
}

/** Annotations that only the users wrote in are purged; others stay without them. Its step purges comments too. */
export const annotationData: UserDataKind = {
  kind: "commentAnnotations",
  columns: {
    comment_annotations: [
      ...["user_id", "resolved_by", "agent_id", "execution_id", "agent_url", "access_fields", "viewers", "record"],
    ],
    comment_users: ["user_id"],
  },
  kept: { "comment_annotations.anchor": "Repeats content of the document." },
  findAddresses,
  namingRows: [TAGS],
  steps: [
    {
      rows: [ANNOTATIONS, COMMENTS, REACTIONS],
      records: [ANNOTATIONS, COMMENTS, REACTIONS],
      keptFields: [...KEPT_OF_ANNOTATIONS],
      purge: purgeFromAnnotations,
    },
  ],
  selectPage: selectStartedPage,
};

/** Comments by the users are purged; comments by others stay, without mentions of the users. */
export const commentData: UserDataKind = {
  kind: "comments",
  columns: { comments: ["user_id", "tagged_user_ids", "record"] },
  steps: [],
  selectPage: selectCommentPage,
};

export const reactionData: UserDataKind = {
  kind: "reactions",
  columns: { comment_reactions: ["user_id", "record"] },
  steps: [],
  selectPage: selectReactionPage,
};

/** Read markers of the users are purged. */
export const commentReadData: UserDataKind = {
  kind: "commentReads",
  columns: { comment_reads: ["user_id"] },
  steps: [purgeRowsStep({ table: "comment_reads", writtenAt: "read_at" })],
};
