import { Text } from "@mantine/core";
import type { Folder } from "../../../api/records.ts";
import { nameOrId } from "../../../components/display-text.ts";
import { pluralize } from "../../../components/numbers.ts";
import { Panel } from "../../../components/Panel.tsx";
import { Time } from "../../../components/Time.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { AccessTabs } from "../access/AccessTabs.tsx";
import { DocumentTable } from "../DocumentTable.tsx";
import { DeleteFolder } from "./DeleteFolder.tsx";
import { FolderLink } from "./FolderLink.tsx";
import { folderLabel, ROOT } from "./folder.ts";
import { MoveFolder } from "./MoveFolder.tsx";
import { RenameFolder } from "./RenameFolder.tsx";
import { useFolder } from "./use-folder.ts";

interface FolderDetailProps {
  organizationId: string;
  /** A folder, `root` for what is outside of any folder, or undefined for all documents. */
  folderId: string | undefined;
}

/** What the tree of folders has selected: a folder, and the documents directly in it. */
export function FolderDetail({ organizationId, folderId }: FolderDetailProps) {
  if (folderId === undefined || folderId === ROOT) {
    return <DocumentTable organizationId={organizationId} folderId={folderId} />;
  }
  return <SelectedFolder organizationId={organizationId} folderId={folderId} />;
}

function SelectedFolder({ organizationId, folderId }: { organizationId: string; folderId: string }) {
  const apiQuery = useFolder(organizationId, folderId);
  const folder = apiQuery.query.data?.data[0];
  const label = folder ? folderLabel(folder) : folderId;
  return (
    <>
      <Panel
        title={label}
        apiQuery={apiQuery}
        actions={
          folder && (
            <>
              <RenameFolder folder={folder} />
              <MoveFolder folder={folder} />
              <DeleteFolder folder={folder} />
            </>
          )
        }
      >
        {([found]) => found && <Summary organizationId={organizationId} folder={found} />}
      </Panel>
      <AccessTabs
        tabs={[
          {
            value: "documents",
            label: "Documents",
            content: <DocumentTable organizationId={organizationId} folderId={folderId} />,
          },
        ]}
        resource={{ type: "folder", organizationId, id: folderId, label }}
      />
    </>
  );
}

function Summary({ organizationId, folder }: { organizationId: string; folder: Folder }) {
  const { folderId, folderName, parentFolderId, createdAt, lastUpdated, subFolders = [] } = folder;
  return (
    <Text size="xs" c="dimmed" component="div" className="details">
      {nameOrId(folderName, folderId) !== folderId && <UntrustedText>{folderId}</UntrustedText>}
      <span>
        in{" "}
        {parentFolderId === ROOT ? (
          "the top level"
        ) : (
          <FolderLink organizationId={organizationId} folderId={parentFolderId} />
        )}
      </span>
      <span>{pluralize(subFolders.length, "subfolder")}</span>
      <span>
        created <Time at={createdAt} />
      </span>
      <span>
        changed <Time at={lastUpdated} />
      </span>
    </Text>
  );
}
