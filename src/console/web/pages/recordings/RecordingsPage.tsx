import { Text } from "@mantine/core";
import type { Recording } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { nameOrId, userLabel } from "../../components/display-text.ts";
import { useDocumentNames } from "../../components/document-names.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_RECORDING } from "../../components/example-requests.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { useOrganizationName } from "../../components/organization-names.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { RecordList } from "../../components/RecordList.tsx";
import { Headline } from "../../components/RecordRow.tsx";
import { DocumentFilter } from "../../components/SuggestingFilters.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { AttachmentList } from "./AttachmentList.tsx";
import { RecordingDetail } from "./RecordingDetail.tsx";

const PATH = "/v2/recordings/get";

/** Shows the recordings of an organization. */
export default function RecordingsPage() {
  const selected = useSelectedOrganization({ isOptional: true });
  const { organizationId } = selected;
  return (
    <>
      <PageTitle title="Recordings">
        Audio, video and screen recordings, newest first. Files stay on your storage and load only when played.
      </PageTitle>
      <Filters hasViews>
        <OrganizationSelect selected={selected} />
        <DocumentFilter organizationId={organizationId} />
      </Filters>
      {organizationId === undefined && <NoOrganizationPanel title="Recordings" selected={selected} />}
      {organizationId !== undefined && <RecordingList organizationId={organizationId} />}
    </>
  );
}

function RecordingList({ organizationId }: { organizationId: string }) {
  const { get } = useUrlParameters();
  const documentId = get("document");
  const name = useOrganizationName(organizationId);
  const apiQuery = useApiQuery(PATH, {
    organizationId,
    documentId,
    pageSize: usePageSize(),
    pageToken: get("page"),
  });
  const toDocumentName = useDocumentNames(
    organizationId,
    apiQuery.query.data?.data.map(({ metadata }) => metadata.documentId),
  );
  const scope = documentId === undefined ? { organizationId } : { organizationId, documentId };
  return (
    <RecordList
      title={`Recordings in ${name}`}
      label="recordings"
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={(recordings) => recordings}
      empty={
        <EmptyState example={{ ...EXAMPLE_RECORDING, data: { ...EXAMPLE_RECORDING.data, ...scope } }}>
          No recordings {documentId === undefined ? "in this organization" : "on this document"} yet. Run this command
          to add one:
        </EmptyState>
      }
      recordTitle="Recording"
      getId={({ annotationId }) => annotationId}
      requestFor={(id) => ({ organizationId, recordingIds: [id] })}
      details={(recording) => <RecordingDetail recording={recording} />}
    >
      {(recording) => <Summary recording={recording} documentName={toDocumentName(recording.metadata.documentId)} />}
    </RecordList>
  );
}

function Summary({ recording, documentName }: { recording: Recording; documentName: string }) {
  const { link } = useUrlParameters();
  const { annotationId, displayName, recordingType, mode, recordedTime, from, attachments, metadata } = recording;
  return (
    <>
      <Headline>
        <UntrustedText>{nameOrId(displayName, annotationId)}</UntrustedText>
      </Headline>
      <Text size="xs" c="dimmed" component="div" className="details">
        {recordingType && <UntrustedText>{recordingType}</UntrustedText>}
        {mode && <UntrustedText>{mode}</UntrustedText>}
        {recordedTime?.display && <UntrustedText>{recordedTime.display}</UntrustedText>}
        {from && (
          <span>
            by <UntrustedText>{userLabel(from)}</UntrustedText>
          </span>
        )}
        <FilterLink href={link({ document: metadata.documentId })}>
          <UntrustedText>{documentName}</UntrustedText>
        </FilterLink>
      </Text>
      {attachments && attachments.length > 0 && <AttachmentList attachments={attachments} isInRow />}
    </>
  );
}
