import { DocumentPicker } from "../../components/DocumentPicker.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useUrlParameters } from "../../url.ts";
import { AnnotationList } from "./AnnotationList.tsx";
import { EditorDetail } from "./EditorDetail.tsx";
import { EditorList } from "./EditorList.tsx";

/** What stands in the documents of an organization. */
export default function DocumentsPage() {
  const { get } = useUrlParameters();
  const chosen = useSelectedOrganization();
  const { organizationId } = chosen;
  const [document, editor] = [get("document"), get("editor")];
  return (
    <>
      <PageTitle title="Documents">
        The documents of an organization, what people write together in their editors, and what they say about it.
      </PageTitle>
      <search className="filters" aria-label="Which documents">
        <OrganizationSelect chosen={chosen} />
        <TextFilter label="Document" name="document" placeholder="Id" drops={["editor", "view", "threads", "record"]} />
        {document !== undefined && <TextFilter label="Editor" name="editor" placeholder="Any id" />}
      </search>
      {organizationId === undefined && <NoOrganizationPanel title="Documents" chosen={chosen} />}
      {organizationId !== undefined && document === undefined && (
        <DocumentPicker organizationId={organizationId}>Choose a document to see what stands in it.</DocumentPicker>
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
