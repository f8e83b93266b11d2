import { Text } from "@mantine/core";
import type { CommentAnnotation } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { pluralize } from "../../components/numbers.ts";
import { RecordList } from "../../components/RecordList.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

const PATH = "/v2/commentannotations/get";
/** Each comes with all of its comments. */
const PAGE_SIZE = 20;
/** The parameter of the address for the page, beside that of the editors. */
const PAGE = "threads";

/** What people say about a document, by thread, the newest first. */
export function AnnotationList({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const { get } = useUrlParameters();
  const place = { organizationId, documentId };
  const apiQuery = useApiQuery<CommentAnnotation[]>(PATH, { ...place, pageSize: PAGE_SIZE, pageToken: get(PAGE) });
  return (
    <RecordList
      title="Comment threads"
      label="threads"
      pageName={PAGE}
      apiQuery={apiQuery}
      empty={<Text size="sm">Nobody has commented on this document.</Text>}
      recordTitle="Thread record"
      idOf={({ annotationId }) => annotationId}
      requestFor={(id) => ({ path: PATH, data: { organizationId, annotationIds: [id] } })}
    >
      {(thread) => <Summary thread={thread} />}
    </RecordList>
  );
}

function Summary({ thread }: { thread: CommentAnnotation }) {
  const { annotationId, status, assignedTo, comments, createdAt, location } = thread;
  const [first, ...replies] = comments;
  const last = replies.at(-1);
  return (
    <>
      {first ? <Said comment={first} /> : <UntrustedText>{annotationId}</UntrustedText>}
      {last && <Said comment={last} />}
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={createdAt} />
        <UntrustedText>{status.name || status.id}</UntrustedText>
        {assignedTo && (
          <span>
            assigned to <UntrustedText>{userLabel(assignedTo)}</UntrustedText>
          </span>
        )}
        <span>{pluralize(comments.length, "comment")}</span>
        {location && (
          <span>
            at <UntrustedText>{location.locationName || location.id}</UntrustedText>
          </span>
        )}
      </Text>
    </>
  );
}

function Said({ comment }: { comment: CommentAnnotation["comments"][number] }) {
  const { from, commentText, reactions } = comment;
  const reacted = reactions.map(({ reaction, userIds }) => `${reaction} ${userIds.length}`).join(", ");
  return (
    <>
      <Text size="sm" lineClamp={3}>
        <UntrustedText>{userLabel(from)}</UntrustedText>: <UntrustedText>{commentText || "(no text)"}</UntrustedText>
      </Text>
      {reacted && (
        <Text size="xs" c="dimmed">
          <UntrustedText>{reacted}</UntrustedText>
        </Text>
      )}
    </>
  );
}
