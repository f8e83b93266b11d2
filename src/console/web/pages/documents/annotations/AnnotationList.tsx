import { Text } from "@mantine/core";
import type { ResponseData } from "../../../api/call.ts";
import type { Comment, CommentAnnotation } from "../../../api/records.ts";
import { useApiQuery } from "../../../api/use-api.ts";
import { nameOrId, userLabel } from "../../../components/display-text.ts";
import { pluralize } from "../../../components/numbers.ts";
import { RecordList } from "../../../components/RecordList.tsx";
import { Headline } from "../../../components/RecordRow.tsx";
import { Time } from "../../../components/Time.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../../url.ts";
import { AnchorQuote } from "./AnchorQuote.tsx";
import { AnnotationDetail } from "./AnnotationDetail.tsx";
import { commentText } from "./CommentItem.tsx";

const PATH = "/v2/commentannotations/get";
/** Small, since each annotation is returned with all of its comments. */
const PAGE_SIZE = 20;
/** URL parameter of the page token, distinct from that of the editors on the same page. */
const PAGE = "annotations";

/** The annotations of a document with their comments, newest first. */
export function AnnotationList({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const { get } = useUrlParameters();
  const scope = { organizationId, documentId };
  const apiQuery = useApiQuery(PATH, { ...scope, pageSize: PAGE_SIZE, pageToken: get(PAGE) });
  return (
    <RecordList
      title="Comments"
      label="annotations"
      pageName={PAGE}
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={asList}
      empty={<Text size="sm">No comments on this document yet.</Text>}
      recordTitle="Thread"
      getId={({ annotationId }) => annotationId}
      requestFor={(id) => ({ organizationId, annotationIds: [id] })}
      details={(annotation) => <AnnotationDetail key={annotation.annotationId} annotation={annotation} />}
    >
      {(annotation) => <Summary annotation={annotation} />}
    </RecordList>
  );
}

/** Returns the records of a page, which is a list unless it was requested by document. A missing ID is null there. */
function asList(page: ResponseData<typeof PATH>): CommentAnnotation[] {
  return Array.isArray(page) ? page.filter((record) => record !== null) : Object.values(page).flat();
}

function Summary({ annotation }: { annotation: CommentAnnotation }) {
  const { annotationId, status, assignedTo, comments, createdAt, location } = annotation;
  const [first, ...replies] = comments;
  const last = replies.at(-1);
  return (
    <>
      <Headline>{first ? <CommentLine comment={first} /> : <UntrustedText>{annotationId}</UntrustedText>}</Headline>
      {first && <ReactionCounts comment={first} />}
      <AnchorQuote annotation={annotation} />
      {replies.length > 1 && (
        <Text size="xs" c="dimmed">
          {pluralize(replies.length - 1, "more comment")}
        </Text>
      )}
      {last && (
        <>
          <Text size="sm" lineClamp={3}>
            <CommentLine comment={last} />
          </Text>
          <ReactionCounts comment={last} />
        </>
      )}
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={createdAt} />
        <UntrustedText>{nameOrId(status.name, status.id)}</UntrustedText>
        {assignedTo && (
          <span>
            assigned to <UntrustedText>{userLabel(assignedTo)}</UntrustedText>
          </span>
        )}
        <span>{pluralize(comments.length, "comment")}</span>
        {location && (
          <span>
            at <UntrustedText>{nameOrId(location.locationName, location.id)}</UntrustedText>
          </span>
        )}
      </Text>
    </>
  );
}

function CommentLine({ comment }: { comment: Comment }) {
  return (
    <>
      <UntrustedText>{userLabel(comment.from)}</UntrustedText>: <UntrustedText>{commentText(comment)}</UntrustedText>
    </>
  );
}

function ReactionCounts({ comment: { reactions } }: { comment: Comment }) {
  if (reactions.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      <UntrustedText>
        {reactions.map(({ reaction, userIds }) => `${reaction} ${userIds.length}`).join(", ")}
      </UntrustedText>
    </Text>
  );
}
