import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { itemFailure } from "../../../components/item-failure.ts";
import { pluralize } from "../../../components/numbers.ts";
import { Time } from "../../../components/Time.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { UserLink } from "../../../components/UserLink.tsx";
import { CommentItem } from "./CommentItem.tsx";
import { ReplyForm } from "./ReplyForm.tsx";

/** All comments of an annotation, with a form that replies and a button that resolves or reopens it. */
export function AnnotationDetail({ annotation }: { annotation: CommentAnnotation }) {
  const { comments, metadata } = annotation;
  return (
    <>
      <Stack gap="xs">
        <StatusBar annotation={annotation} />
        <Facts annotation={annotation} />
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

/** The status, with the button that changes it. */
function StatusBar({ annotation }: { annotation: CommentAnnotation }) {
  const { annotationId, status, metadata } = annotation;
  const { mutate, data, isPending, error } = useApiMutation("/v2/commentannotations/update");
  const isResolved = status.type === "terminal";
  const { organizationId, documentId } = metadata;
  const failed = data && itemFailure(data.data[annotationId]);
  const failure = error ?? (failed === undefined ? undefined : new Error(failed));
  function changeStatus(): void {
    const type = isResolved ? "default" : "terminal";
    mutate({ organizationId, documentId, annotationIds: [annotationId], updatedData: { status: { type } } });
  }
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Badge variant="default" tt="none">
          <UntrustedText>{status.name || status.id}</UntrustedText>
        </Badge>
        <Button size="compact-sm" variant="default" loading={isPending} onClick={changeStatus}>
          {isResolved ? "Reopen" : "Resolve"}
        </Button>
      </Group>
      {failure && <ErrorMessage error={failure} />}
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
      <span>no. {annotationNumber}</span>
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
          at <UntrustedText>{location.locationName || location.id}</UntrustedText>
        </span>
      )}
      {visibilityConfig.type !== "public" && <span>{VISIBILITY[visibilityConfig.type]}</span>}
    </Text>
  );
}
