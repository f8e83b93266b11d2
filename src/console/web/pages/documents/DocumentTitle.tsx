import { nameOrId } from "../../components/display-text.ts";
import type { SelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { RecordTitle } from "../../components/RecordTitle.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { useDocument } from "./folders/use-document.ts";

/** Other pages with data of one document. */
export const DOCUMENT_PAGES = [
  { page: "activities", label: "Activities" },
  { page: "notifications", label: "Notifications" },
  { page: "presence", label: "Presence" },
];

interface DocumentTitleProps {
  selected: SelectedOrganization;
  documentId: string;
  /** Editor ID of the content that the page shows. */
  editorId: string | undefined;
}

/** The head of the page of a document, or of content in it. */
export function DocumentTitle({ selected, documentId, editorId }: DocumentTitleProps) {
  const { get } = useUrlParameters();
  const organizationId = selected.organizationId ?? get("organization") ?? "";
  // The page of content sends no request for the name, but shows it if the page before has read it.
  const isEnabled = editorId === undefined && selected.organizationId !== undefined;
  const documents = useDocument(organizationId, documentId, { isEnabled }).query.data?.data;
  const document = documents?.[0];
  const name = nameOrId(document?.documentName, documentId);
  const organization = selected.apiQuery.query.data?.data.organizations.find(({ id }) => id === organizationId);
  const place = new URLSearchParams({ organization: organizationId, document: documentId });
  const parents = [
    {
      label: nameOrId(organization?.organizationName, organizationId),
      href: `/organizations?${new URLSearchParams({ organization: organizationId })}`,
    },
    { label: "Documents", href: `/documents?${new URLSearchParams({ organization: organizationId })}` },
  ];
  if (editorId !== undefined) {
    return (
      <RecordTitle
        kind="document"
        id={documentId}
        title={editorId}
        parents={[...parents, { label: name, href: `/documents?${place}&tab=content` }]}
      />
    );
  }
  return (
    <RecordTitle
      kind="document"
      id={documentId}
      title={name}
      parents={parents}
      links={
        documents?.length === 0 ? [] : DOCUMENT_PAGES.map(({ page, label }) => ({ label, href: `/${page}?${place}` }))
      }
    >
      {name !== documentId && <UntrustedText>{documentId}</UntrustedText>}
    </RecordTitle>
  );
}
