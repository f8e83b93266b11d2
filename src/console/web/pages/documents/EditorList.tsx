import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { Editor } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { beginningOf } from "./content.ts";
import { LastChange } from "./LastChange.tsx";

/** Each comes with all of its content. */
const PAGE_SIZE = 20;

/** The editors of a document, by id, with how each begins. */
export function EditorList({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const { get, link } = useParameters();
  const asked = useAnswer<Editor[]>("/v2/crdt/get", {
    organizationId,
    documentId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const first = {
    path: "/v2/crdt/add",
    data: { organizationId, documentId, editorId: "clause-3", type: "text", data: "Payment is due within 30 days." },
  };
  return (
    <Panel
      title={`Editors of ${documentId}`}
      asked={asked}
      isEmpty={(editors) => editors.length === 0}
      empty={
        <Empty first={first}>
          No editor has content in this document. Your backend or a Yjs client puts it there, such as by this command:
        </Empty>
      }
    >
      {(editors, { pageToken }) => (
        <>
          <ul className="rows">
            {editors.map((editor) => (
              <li key={editor.id}>
                <div>
                  <Anchor component={Link} size="sm" href={link({ editor: editor.id, page: undefined })}>
                    <Verbatim>{editor.id}</Verbatim>
                  </Anchor>
                  <Text size="sm" lineClamp={2}>
                    <Verbatim>{beginningOf(editor.data)}</Verbatim>
                  </Text>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    <Verbatim>{editor.type}</Verbatim>
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
  );
}
