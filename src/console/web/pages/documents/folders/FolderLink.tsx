import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../../url.ts";
import { folderLabel } from "./folder.ts";
import { useFolder } from "./use-folder.ts";

/** A link to a folder by its name, or by its ID until the name is known. */
export function FolderLink({ organizationId, folderId }: { organizationId: string; folderId: string }) {
  const { link } = useUrlParameters();
  const found = useFolder(organizationId, folderId).query.data?.data.find((folder) => folder.folderId === folderId);
  const href = link({ folder: folderId, document: undefined });
  return (
    <Anchor component={Link} href={href} size="xs" c="inherit" underline="always">
      <UntrustedText>{found ? folderLabel(found) : folderId}</UntrustedText>
    </Anchor>
  );
}
