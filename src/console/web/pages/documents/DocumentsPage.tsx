import { Anchor, Stack } from "@mantine/core";
import { Link } from "wouter";
import { nameOrId } from "../../components/display-text.ts";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { StateFilter } from "../../components/StateFilter.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useUrlParameters } from "../../url.ts";
import { AccessTabs } from "./access/AccessTabs.tsx";
import { AnnotationList } from "./annotations/AnnotationList.tsx";
import { DocumentActivity } from "./DocumentActivity.tsx";
import { DocumentTitle } from "./DocumentTitle.tsx";
import { EditorDetail } from "./EditorDetail.tsx";
import { EditorList } from "./EditorList.tsx";
import { DocumentSummary } from "./folders/DocumentSummary.tsx";
import { FolderDetail } from "./folders/FolderDetail.tsx";
import { FolderTree } from "./folders/FolderTree.tsx";
import { useDocument } from "./folders/use-document.ts";
import { WorkspaceDocumentTable } from "./WorkspaceDocumentTable.tsx";

/** Shows the folders and documents of an organization or of all, their content, and their annotations. */
export default function DocumentsPage() {
  const { get } = useUrlParameters();
  const [document, editor] = [get("document"), get("editor")];
  // A document and a folder belong to an organization.
  const isOfAll = [get("organization"), get("folder"), document].every((value) => value === undefined);
  const selected = useSelectedOrganization({ isOptional: isOfAll });
  const { organizationId } = selected;
  if (document !== undefined) {
    return (
      <>
        <DocumentTitle selected={selected} documentId={document} editorId={editor} />
        {organizationId === undefined && <NoOrganizationPanel title="Document" selected={selected} />}
        {organizationId !== undefined && editor === undefined && (
          <Document key={document} organizationId={organizationId} documentId={document} />
        )}
        {organizationId !== undefined && editor !== undefined && (
          <EditorDetail key={editor} organizationId={organizationId} documentId={document} editorId={editor} />
        )}
      </>
    );
  }
  return (
    <>
      <PageTitle title="Documents">
        The documents of your customers in their folders, with their comments and the content of their collaborative
        editors.
      </PageTitle>
      <Filters hasViews hidden={["search", "state"]}>
        <OrganizationSelect selected={selected} hasAll />
        {isOfAll && <TextFilter isSearch label="Search" placeholder="Name or ID" name="search" />}
        {isOfAll && <StateFilter />}
      </Filters>
      {isOfAll && <WorkspaceDocumentTable />}
      {!isOfAll && organizationId === undefined && <NoOrganizationPanel title="Documents" selected={selected} />}
      {organizationId !== undefined && <Folders key={organizationId} organizationId={organizationId} />}
    </>
  );
}

/** The tree of folders beside what is in the selected one, or on a narrow window one of the two. */
function Folders({ organizationId }: { organizationId: string }) {
  const { get, link } = useUrlParameters();
  const folderId = get("folder");
  return (
    <div className="reference folders" data-has-detail={folderId !== undefined}>
      <div className="reference-list">
        <FolderTree organizationId={organizationId} />
      </div>
      <div id="folder-content" tabIndex={-1}>
        {folderId !== undefined && (
          <Anchor component={Link} href={link({ folder: undefined })} size="sm" className="reference-back">
            All folders
          </Anchor>
        )}
        <Stack gap="md" key={folderId}>
          <FolderDetail organizationId={organizationId} folderId={folderId} />
        </Stack>
      </div>
    </div>
  );
}

function Document({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const documents = useDocument(organizationId, documentId).query.data?.data;
  const document = documents?.[0];
  const label = nameOrId(document?.documentName, documentId);
  return (
    <>
      {documents?.length === 0 ? (
        <DocumentSummary organizationId={organizationId} documentId={documentId} />
      ) : (
        <div className="columns">
          <DocumentActivity organizationId={organizationId} documentId={documentId} />
          <DocumentSummary organizationId={organizationId} documentId={documentId} />
        </div>
      )}
      {documents?.length !== 0 && (
        <AccessTabs
          tabs={[
            { value: "comments", label: "Comments", content: <AnnotationList {...{ organizationId, documentId }} /> },
            { value: "content", label: "Content", content: <EditorList {...{ organizationId, documentId }} /> },
          ]}
          resource={{ type: "document", organizationId, id: documentId, label }}
        />
      )}
    </>
  );
}
