import { DocumentPicker } from "../../components/DocumentPicker.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useUrlParameters } from "../../url.ts";
import { AnnotationList } from "./AnnotationList.tsx";
import { EditorDetail } from "./EditorDetail.tsx";
import { EditorList } from "./EditorList.tsx";

/** Shows the documents of an organization, their content, and their annotations. */
export default function DocumentsPage() {
  const { get } = useUrlParameters();
  const selected = useSelectedOrganization();
  const { organizationId } = selected;
  const [document, editor] = [get("document"), get("editor")];
  return (
    <>
      <PageTitle title="Documents">
        The documents of an organization, with the content of their collaborative editors and their comments.
      </PageTitle>
      <search className="filters" aria-label="Filters">
        <OrganizationSelect selected={selected} />
        <TextFilter
          label="Document"
          name="document"
          placeholder="ID"
          drops={["editor", "view", "annotations", "record"]}
        />
        {document !== undefined && <TextFilter label="Editor" name="editor" placeholder="Any ID" />}
      </search>
      {organizationId === undefined && <NoOrganizationPanel title="Documents" selected={selected} />}
      {organizationId !== undefined && document === undefined && (
        <DocumentPicker organizationId={organizationId}>Choose a document to see its content.</DocumentPicker>
      )}
      {organizationId !== undefined && document !== undefined && editor === undefined && (
        <>
          <EditorList organizationId={organizationId} documentId={document} />
          <AnnotationList key={document} organizationId={organizationId} documentId={document} />
        </>
      )}
      {organizationId !== undefined && document !== undefined && editor !== undefined && (
        <EditorDetail key={editor} organizationId={organizationId} documentId={document} editorId={editor} />
      )}
    </>
  );
}
