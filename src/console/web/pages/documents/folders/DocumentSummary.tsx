import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { EmptyState } from "../../../components/EmptyState.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Time } from "../../../components/Time.tsx";
import { FolderLink } from "./FolderLink.tsx";
import { MoveDocument } from "./MoveDocument.tsx";
import { useDocument } from "./use-document.ts";

/** The folder and last activity of a document. */
export function DocumentSummary({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const apiQuery = useDocument(organizationId, documentId);
  const document = apiQuery.query.data?.data[0];
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
          <Text size="xs" c="dimmed" component="div" className="details">
            {found.folderId === undefined ? (
              <span>outside of any folder</span>
            ) : (
              <span>
                in folder <FolderLink organizationId={organizationId} folderId={found.folderId} />
              </span>
            )}
            <span>
              last activity <Time at={found.lastActivity} />
            </span>
          </Text>
        )
      }
    </Panel>
  );
}
