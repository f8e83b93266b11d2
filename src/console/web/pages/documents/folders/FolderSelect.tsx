import { Select } from "@mantine/core";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { folderOptions, ROOT } from "./folder.ts";
import { useAllFolders } from "./use-folder.ts";

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

/** Chooses a folder or the top level. Typing filters by any part of the path. */
export function FolderSelect({ organizationId, moved, value, onChange, ...field }: FolderSelectProps) {
  const { query } = useAllFolders(organizationId);
  if (query.error) return <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Select
      {...field}
      searchable
      allowDeselect={false}
      limit={MAX_OPTIONS}
      nothingFoundMessage="No folder matches."
      data={query.data ? folderOptions(query.data.data, moved) : [{ value: ROOT, label: "Top level" }]}
      value={value}
      onChange={(folderId) => onChange(folderId ?? ROOT)}
      disabled={!query.data}
    />
  );
}
