import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Editor } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { exactTime } from "../../components/exact-time.ts";
import { FormDialog } from "../../components/FormDialog.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { AddVersion } from "./AddVersion.tsx";
import { RestoreVersion } from "./RestoreVersion.tsx";
import { VersionComparison } from "./VersionComparison.tsx";
import { type EditorRef, getVersionName, type Version } from "./version.ts";

const PAGE_SIZE = 20;

/** The versions of a collaborative document, each of which is compared with the present content and restored. */
export function VersionList({ place, editor }: { place: EditorRef; editor: Editor }) {
  const { get } = useUrlParameters();
  const request = { ...place, pageSize: PAGE_SIZE, pageToken: get("page") };
  const apiQuery = useApiQuery("/v2/crdt/versions/list", request);
  const [compared, setCompared] = useState<Version>();
  return (
    <>
      <Panel
        title="Versions"
        apiQuery={apiQuery}
        actions={<AddVersion place={place} />}
        isEmpty={(versions) => versions.length === 0}
        empty={<Text size="sm">No versions yet. A version keeps the content as it is.</Text>}
      >
        {(versions, { pageToken }) => (
          <>
            <ul className="rows">
              {versions.map((version) => (
                <li key={version.id}>
                  <div>
                    <Text size="sm">
                      <UntrustedText>{version.name ?? "Automatic version"}</UntrustedText>
                    </Text>
                    <Text size="xs" c="dimmed">
                      {exactTime(version.createdAt)}
                    </Text>
                  </div>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-xs" variant="default" onClick={() => setCompared(version)}>
                      Compare
                      <span className="visually-hidden">
                        {" "}
                        <UntrustedText>{getVersionName(version)}</UntrustedText>
                      </span>
                    </Button>
                    <RestoreVersion place={place} version={version} />
                  </Group>
                </li>
              ))}
            </ul>
            <Pager label="versions" nextToken={pageToken} />
          </>
        )}
      </Panel>
      <FormDialog
        title={`From ${compared ? getVersionName(compared) : ""} to now`}
        isOpen={compared !== undefined}
        onClose={() => setCompared(undefined)}
      >
        {compared && <VersionComparison place={place} version={compared} editor={editor} />}
      </FormDialog>
    </>
  );
}
