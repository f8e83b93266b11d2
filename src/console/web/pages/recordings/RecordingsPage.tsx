import { Text } from "@mantine/core";
import { useParameters } from "../../address.ts";
import type { Recording } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { FIRST_RECORDING } from "../../components/examples.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { nameOf } from "../../components/message.ts";
import { NoOrganization } from "../../components/NoOrganization.tsx";
import { OrganizationSelect, useOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { AttachmentList } from "./AttachmentList.tsx";

const PATH = "/v2/recordings/get";
const PAGE_SIZE = 25;

/** What people recorded in an organization. */
export default function RecordingsPage() {
  const chosen = useOrganization();
  const { organizationId } = chosen;
  return (
    <>
      <PageTitle title="Recordings">
        Audio, video and screen recordings, newest first. The service keeps links; the files lie with your own host and
        are read only when you play them.
      </PageTitle>
      <search className="filters" aria-label="Which recordings">
        <OrganizationSelect chosen={chosen} />
        <TextFilter label="Document" name="document" placeholder="Any id" />
      </search>
      {organizationId === undefined && <NoOrganization title="Recordings" chosen={chosen} />}
      {organizationId !== undefined && <RecordingList organizationId={organizationId} />}
    </>
  );
}

function RecordingList({ organizationId }: { organizationId: string }) {
  const { get } = useParameters();
  const documentId = get("document");
  const asked = useAnswer<Recording[]>(PATH, {
    organizationId,
    documentId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const place = documentId === undefined ? { organizationId } : { organizationId, documentId };
  return (
    <RecordList
      title="Recordings"
      label="recordings"
      asked={asked}
      empty={
        <Empty first={{ ...FIRST_RECORDING, data: { ...FIRST_RECORDING.data, ...place } }}>
          There is no recording {documentId === undefined ? "in this organization" : "on this document"}. Your backend
          adds them, such as by this command:
        </Empty>
      }
      recordTitle="Recording record"
      idOf={({ annotationId }) => annotationId}
      requestFor={(id) => ({ path: PATH, data: { organizationId, recordingIds: [id] } })}
    >
      {(recording) => <Summary recording={recording} />}
    </RecordList>
  );
}

function Summary({ recording }: { recording: Recording }) {
  const { link } = useParameters();
  const { annotationId, displayName, recordingType, mode, recordedTime, from, attachments, metadata } = recording;
  return (
    <>
      <Text size="sm" lineClamp={3}>
        <Verbatim>{displayName || annotationId}</Verbatim>
      </Text>
      <Text size="xs" c="dimmed" component="div" className="details">
        {recordingType && <Verbatim>{recordingType}</Verbatim>}
        {mode && <Verbatim>{mode}</Verbatim>}
        {recordedTime?.display && <Verbatim>{recordedTime.display}</Verbatim>}
        {from && (
          <span>
            by <Verbatim>{nameOf(from)}</Verbatim>
          </span>
        )}
        <FilterLink href={link({ document: metadata.documentId, page: undefined })}>
          <Verbatim>{metadata.documentId}</Verbatim>
        </FilterLink>
      </Text>
      {attachments && attachments.length > 0 && <AttachmentList attachments={attachments} />}
    </>
  );
}
