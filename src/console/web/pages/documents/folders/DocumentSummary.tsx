import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../../api/use-api.ts";
import { EmptyState } from "../../../components/EmptyState.tsx";
import { FactList } from "../../../components/FactList.tsx";
import { formatBytes, formatCount } from "../../../components/numbers.ts";
import { Panel } from "../../../components/Panel.tsx";
import { Time } from "../../../components/Time.tsx";
import { FolderLink } from "./FolderLink.tsx";
import { MoveDocument } from "./MoveDocument.tsx";
import { useDocument } from "./use-document.ts";

const FIGURES = "/v2/organizations/documents/figures/get";

/** The folder, age and statistics of a document. */
export function DocumentSummary({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const apiQuery = useDocument(organizationId, documentId);
  const document = apiQuery.query.data?.data[0];
  const { query } = useApiQuery(FIGURES, { organizationId, documentIds: [documentId] });
  const figures = query.data?.data.documents.find(({ id }) => id === documentId);
  return (
    <Panel
      title="Details"
      apiQuery={apiQuery}
      actions={document && <MoveDocument organizationId={organizationId} document={document} />}
      isEmpty={(documents) => documents.length === 0}
      empty={
        <EmptyState>
          This document does not exist. IDs are case-sensitive.{" "}
          <Anchor
            component={Link}
            href={`/documents?${new URLSearchParams({ organization: organizationId })}`}
            size="sm"
            underline="always"
          >
            Show the documents of this organization
          </Anchor>
        </EmptyState>
      }
    >
      {([found]) =>
        found && (
          <FactList
            facts={[
              [
                "Folder",
                found.folderId === undefined ? (
                  "outside of any folder"
                ) : (
                  <FolderLink key="folder" organizationId={organizationId} folderId={found.folderId} />
                ),
              ],
              [
                "Last activity",
                figures && (figures.lastActivity ? <Time key="activity" at={figures.lastActivity} /> : "none"),
              ],
              ["Created", figures && <Time key="created" at={figures.createdAt} />],
              ["Users", figures && formatCount(figures.users)],
              ["Threads", figures && formatCount(figures.annotations)],
              ["Size of its content", figures && formatBytes(figures.contentBytes)],
            ]}
          />
        )
      }
    </Panel>
  );
}
