import { Anchor, Button, Text } from "@mantine/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { Link } from "wouter";
import type { Folder } from "../../../api/records.ts";
import { revealBidiControls } from "../../../components/bidi.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { formatCount } from "../../../components/numbers.ts";
import { Loading, Panel } from "../../../components/Panel.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../../url.ts";
import { folderLabel, ROOT, sortFolders } from "./folder.ts";
import { NewFolder } from "./NewFolder.tsx";
import { useFolder, useTopFolders } from "./use-folder.ts";

/** Number of folders of a level shown at first, and added with each click. */
const STEP = 50;

interface TreeState {
  organizationId: string;
  /** IDs of the selected folder and its ancestors. */
  selectedPath: string[];
  isOpen: (folderId: string) => boolean;
  toggle: (folderId: string) => void;
}

const TreeContext = createContext<TreeState | undefined>(undefined);

/** Change of a folder that opens or closes by a click. */
interface Toggled {
  isOpen: boolean;
  /** The folder that was selected at the time. */
  selected: string | undefined;
}

/** The folders of an organization as nested lists. The URL parameter `folder` selects one, whose ancestors open. */
export function FolderTree({ organizationId }: { organizationId: string }) {
  const selected = useUrlParameters().get("folder");
  const apiQuery = useTopFolders(organizationId);
  const [toggled, setToggled] = useState<ReadonlyMap<string, Toggled>>(new Map());
  const isFolder = selected !== undefined && selected !== ROOT;
  const { query } = useFolder(organizationId, selected ?? "", { isEnabled: isFolder });
  const ancestors = (isFolder && query.data?.data[0]?.ancestors) || [];
  function isOpen(folderId: string): boolean {
    const change = toggled.get(folderId);
    // A folder that was closed opens again when another folder in it is selected.
    if (change?.isOpen || change?.selected === selected) return change?.isOpen ?? ancestors.includes(folderId);
    return ancestors.includes(folderId);
  }
  const state: TreeState = {
    organizationId,
    selectedPath: [...ancestors, ...(isFolder ? [selected] : [])],
    isOpen,
    toggle: (folderId) => setToggled(new Map(toggled).set(folderId, { isOpen: !isOpen(folderId), selected })),
  };
  return (
    <Panel title="Folders" apiQuery={apiQuery} actions={<NewFolder organizationId={organizationId} />}>
      {(folders) => (
        <TreeContext value={state}>
          <a className="skip-link" href="#folder-content">
            Skip the folders
          </a>
          <ul className="folder-tree">
            <Entry folder={undefined}>All documents</Entry>
            <Entry folder={ROOT}>Outside of any folder</Entry>
          </ul>
          {folders.length === 0 ? (
            <Text size="sm" mt="xs">
              No folders yet. Folders sort documents, and set who may see them.
            </Text>
          ) : (
            <Level folders={folders} />
          )}
        </TreeContext>
      )}
    </Panel>
  );
}

function useTree(): TreeState {
  const state = useContext(TreeContext);
  if (!state) throw new Error("useTree needs a TreeContext");
  return state;
}

/** A link that shows the documents of a folder, or with undefined of all. */
function FolderLink({ folder, children }: { folder: string | undefined; children: ReactNode }) {
  const { get, link } = useUrlParameters();
  return (
    <Anchor
      component={Link}
      href={link({ folder })}
      size="sm"
      aria-current={get("folder") === folder ? "true" : undefined}
    >
      {children}
    </Anchor>
  );
}

function Entry({ folder, children }: { folder: string | undefined; children: ReactNode }) {
  return (
    <li>
      <div className="folder-row">
        <span />
        <FolderLink folder={folder}>{children}</FolderLink>
      </div>
    </li>
  );
}

/** The folders of one level. */
function Level({ folders }: { folders: Folder[] }) {
  const { selectedPath } = useTree();
  const [shown, setShown] = useState(STEP);
  const sorted = sortFolders(folders);
  const end = Math.max(shown, sorted.findIndex(({ folderId }) => selectedPath.includes(folderId)) + 1);
  return (
    <ul className="folder-tree">
      {sorted.slice(0, end).map((folder) => (
        <Node key={folder.folderId} folder={folder} />
      ))}
      {sorted.length > end && (
        <li>
          <Button size="compact-xs" variant="default" onClick={() => setShown(end + STEP)}>
            Show more folders ({formatCount(sorted.length - end)})
          </Button>
        </li>
      )}
    </ul>
  );
}

function Node({ folder }: { folder: Folder }) {
  const { isOpen, toggle } = useTree();
  const { folderId, subFolders, accessType, inheritAccessFromParent } = folder;
  const label = folderLabel(folder);
  const isExpanded = subFolders !== undefined && isOpen(folderId);
  return (
    <li>
      <div className="folder-row">
        {subFolders ? (
          <button
            type="button"
            aria-expanded={isExpanded}
            aria-label={revealBidiControls(`Folders in ${label}`)}
            onClick={() => toggle(folderId)}
          />
        ) : (
          <span />
        )}
        <FolderLink folder={folderId}>
          <UntrustedText>{label}</UntrustedText>
        </FolderLink>
        {!inheritAccessFromParent && (
          <Text size="xs" c="dimmed" span>
            {accessType}
          </Text>
        )}
      </div>
      {isExpanded && <Children folderId={folderId} />}
    </li>
  );
}

/** The folders in a folder, which are read when it opens. */
function Children({ folderId }: { folderId: string }) {
  const { organizationId } = useTree();
  const { query, error } = useFolder(organizationId, folderId);
  if (query.data) return <Level folders={query.data.data[0]?.subFolders ?? []} />;
  return error ? <ErrorMessage error={error} onRetry={() => void query.refetch()} /> : <Loading lines={2} />;
}
