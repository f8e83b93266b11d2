import { Stack, Text } from "@mantine/core";
import type { CommentAnnotation } from "../../../api/records.ts";
import { nameOrId } from "../../../components/display-text.ts";
import { pluralize } from "../../../components/numbers.ts";
import { Time } from "../../../components/Time.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { UserLink } from "../../../components/UserLink.tsx";
import { AnchorQuote } from "./AnchorQuote.tsx";
import { CommentItem } from "./CommentItem.tsx";
import { ReplyForm } from "./ReplyForm.tsx";
import { StatusBar } from "./StatusBar.tsx";

/** All comments of an annotation, with a form that replies and buttons that change the status and the assignee. */
export function AnnotationDetail({ annotation }: { annotation: CommentAnnotation }) {
  const { comments, metadata } = annotation;
  return (
    <>
      <Stack gap="xs">
        <StatusBar annotation={annotation} />
        <Facts annotation={annotation} />
        <AnchorQuote annotation={annotation} />
      </Stack>
      <ol className="rows" aria-label={pluralize(comments.length, "comment")}>
        {comments.map((comment) => (
          <li key={comment.commentId}>
            <CommentItem organizationId={metadata.organizationId} comment={comment} />
          </li>
        ))}
      </ol>
      <ReplyForm annotation={annotation} />
    </>
  );
}

const VISIBILITY = { organizationPrivate: "visible to the organization", restricted: "visible to some users" };

function Facts({ annotation }: { annotation: CommentAnnotation }) {
  const { annotationNumber, assignedTo, resolvedByUserId, createdAt, location, suggestion, visibilityConfig } =
    annotation;
  const { organizationId } = annotation.metadata;
  return (
    <Text size="xs" c="dimmed" component="div" className="details">
      <span>#{annotationNumber}</span>
      <span>
        created <Time at={createdAt} />
      </span>
      <span>
        {assignedTo ? (
          <>
            assigned to <UserLink organizationId={organizationId} user={assignedTo} size="xs" />
          </>
        ) : (
          "not assigned"
        )}
      </span>
      {resolvedByUserId !== undefined && (
        <span>
          resolved by <UserLink organizationId={organizationId} user={{ userId: resolvedByUserId }} size="xs" />
        </span>
      )}
      {suggestion && <span>suggestion {suggestion.status ?? "pending"}</span>}
      {location && (
        <span>
          at <UntrustedText>{nameOrId(location.locationName, location.id)}</UntrustedText>
        </span>
      )}
      {visibilityConfig.type !== "public" && <span>{VISIBILITY[visibilityConfig.type]}</span>}
    </Text>
  );
}
