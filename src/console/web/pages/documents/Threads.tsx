import { Text } from "@mantine/core";
import { useParameters } from "../../address.ts";
import type { CommentAnnotation } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { nameOf } from "../../components/message.ts";
import { counted } from "../../components/numbers.ts";
import { RecordList } from "../../components/RecordList.tsx";
import { Time } from "../../components/Time.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";

const PATH = "/v2/commentannotations/get";
/** Each comes with all of its comments. */
const PAGE_SIZE = 20;
/** The parameter of the address for the page, beside that of the editors. */
const PAGE = "threads";

/** What people say about a document, by thread, the newest first. */
export function Threads({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const { get } = useParameters();
  const place = { organizationId, documentId };
  const asked = useAnswer<CommentAnnotation[]>(PATH, { ...place, pageSize: PAGE_SIZE, pageToken: get(PAGE) });
  return (
    <RecordList
      title="Comment threads"
      label="threads"
      pageName={PAGE}
      asked={asked}
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
      {first ? <Said comment={first} /> : <Verbatim>{annotationId}</Verbatim>}
      {last && <Said comment={last} />}
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={createdAt} />
        <Verbatim>{status.name || status.id}</Verbatim>
        {assignedTo && (
          <span>
            assigned to <Verbatim>{nameOf(assignedTo)}</Verbatim>
          </span>
        )}
        <span>{counted(comments.length, "comment")}</span>
        {location && (
          <span>
            at <Verbatim>{location.locationName || location.id}</Verbatim>
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
        <Verbatim>{nameOf(from)}</Verbatim>: <Verbatim>{commentText || "(no text)"}</Verbatim>
      </Text>
      {reacted && (
        <Text size="xs" c="dimmed">
          <Verbatim>{reacted}</Verbatim>
        </Text>
      )}
    </>
  );
}
