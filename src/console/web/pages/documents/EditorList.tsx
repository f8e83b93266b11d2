import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AnyApiRequest } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Filters } from "../../components/Filters.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { getExcerpt } from "./excerpt.ts";
import { LastChange } from "./LastChange.tsx";

/** Small, since each collaborative document is returned with all of its content. */
const PAGE_SIZE = 20;

/** The collaborative documents of a document, sorted by editor ID, each with an excerpt. */
export function EditorList({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const { get, link } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/crdt/get", {
    organizationId,
    documentId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const example: AnyApiRequest = {
    path: "/v2/crdt/add",
    data: { organizationId, documentId, editorId: "clause-3", type: "text", data: "Payment is due within 30 days." },
  };
  return (
    <>
      <Filters label="Filters of editors">
        <TextFilter label="Editor" name="editor" placeholder="Any ID" />
      </Filters>
      <Panel
        title="Editors"
        apiQuery={apiQuery}
        isEmpty={(editors) => editors.length === 0}
        empty={<EmptyState example={example}>No content yet. A Yjs client or your backend adds it:</EmptyState>}
      >
        {(editors, { pageToken }) => (
          <>
            <ul className="rows">
              {editors.map((editor) => (
                <li key={editor.id}>
                  <div>
                    <Anchor component={Link} size="sm" href={link({ editor: editor.id })}>
                      <UntrustedText>{editor.id}</UntrustedText>
                    </Anchor>
                    <Text size="sm" lineClamp={2}>
                      <UntrustedText>{getExcerpt(editor.data)}</UntrustedText>
                    </Text>
                    <Text size="xs" c="dimmed" component="div" className="details">
                      <UntrustedText>{editor.type}</UntrustedText>
                      <LastChange editor={editor} />
                    </Text>
                  </div>
                </li>
              ))}
            </ul>
            <Pager label="editors" nextToken={pageToken} />
          </>
        )}
      </Panel>
    </>
  );
}
