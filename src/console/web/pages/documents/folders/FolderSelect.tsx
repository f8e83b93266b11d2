import { Select } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Folder } from "../../../api/records.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { type FolderOption, folderLabel, folderOptions, isolated, ROOT } from "./folder.ts";
import { useFolder, useTopFolders } from "./use-folder.ts";

/** Number of options shown at a time. Typing finds the others. */
const MAX_OPTIONS = 100;

interface FolderSelectProps {
  organizationId: string;
  label: string;
  description?: string;
  /** The folder that moves. It cannot be chosen, nor can the folders in it. */
  moved?: string;
  value: string;
  onChange: (folderId: string) => void;
  error?: string | undefined;
}

/** Chooses a folder or the top level with a select for each level, which reads its folders once it is shown. */
export function FolderSelect({ organizationId, moved, value, onChange, ...field }: FolderSelectProps) {
  const [initial] = useState(value);
  const [chosen, setChosen] = useState<string[]>();
  const isPathKnown = chosen !== undefined || initial === ROOT;
  const { query } = useFolder(organizationId, initial, { isEnabled: !isPathKnown });
  const { query: top, error } = useTopFolders(organizationId);
  const ancestors = query.data?.data[0]?.ancestors.slice(1) ?? [];
  const path = chosen ?? (initial === ROOT ? [] : [...ancestors, initial]);
  function choose(next: string[]): void {
    setChosen(next);
    onChange(next.at(-1) ?? ROOT);
  }
  const isLoading = !top.data || (!isPathKnown && query.isPending);
  if (error) return <ErrorMessage error={error} onRetry={() => void top.refetch()} />;
  return (
    <Level
      {...field}
      organizationId={organizationId}
      here={{ value: ROOT, label: "Top level" }}
      folders={isLoading ? undefined : top.data.data}
      moved={moved}
      path={isLoading ? [] : path}
      onChange={choose}
    />
  );
}

interface LevelProps extends Omit<FolderSelectProps, "value" | "onChange" | "label"> {
  label: ReactNode;
  /** The option that chooses what the level is in. */
  here: FolderOption;
  /** Undefined while they load. */
  folders: Folder[] | undefined;
  /** IDs of the chosen folder of the level, of the one chosen in it, and so on. */
  path: string[];
  onChange: (path: string[]) => void;
}

/** A select of the folders of one level, followed by those of the levels in the chosen folder. */
function Level({ organizationId, here, folders, moved, path, onChange, ...field }: LevelProps) {
  const [chosen = here.value, ...inner] = path;
  const folder = folders?.find(({ folderId }) => folderId === chosen);
  return (
    <>
      <Select
        {...field}
        searchable
        allowDeselect={false}
        limit={MAX_OPTIONS}
        nothingFoundMessage="No folder matches."
        data={[here, ...folderOptions(folders ?? [], moved)]}
        value={chosen}
        onChange={(folderId) => onChange(folderId === null || folderId === here.value ? [] : [folderId])}
        disabled={!folders}
      />
      {folder?.subFolders?.some(({ folderId }) => folderId !== moved) && (
        <Subfolders
          key={chosen}
          organizationId={organizationId}
          folder={folder}
          moved={moved}
          path={inner}
          onChange={(path) => onChange([chosen, ...path])}
        />
      )}
    </>
  );
}

interface SubfoldersProps extends Pick<LevelProps, "organizationId" | "moved" | "path" | "onChange"> {
  folder: Folder;
}

function Subfolders({ folder, ...rest }: SubfoldersProps) {
  const { query, error } = useFolder(rest.organizationId, folder.folderId);
  const label = folderLabel(folder);
  if (error) return <ErrorMessage error={error} onRetry={() => void query.refetch()} />;
  return (
    <Level
      {...rest}
      label={
        <>
          Folder in <UntrustedText>{label}</UntrustedText>
        </>
      }
      here={{ value: folder.folderId, label: `Directly in ${isolated(label)}` }}
      folders={query.data && (query.data.data[0]?.subFolders ?? [])}
    />
  );
}
