import { Button, SegmentedControl, Text } from "@mantine/core";
import { useMemo } from "react";
import type { Editor } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { escapeBidiControls } from "../../components/bidi.ts";
import { Code } from "../../components/Code.tsx";
import { downloadJson } from "../../components/download.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { LastChange } from "./LastChange.tsx";
import { Tree } from "./Tree.tsx";
import { parseJsonTree, parseXmlTree, type TreeNode } from "./tree.ts";
import { VersionList } from "./VersionList.tsx";
import { getSource } from "./version.ts";

/** Maximum number of characters shown, to keep scrolling fast. The download contains all of them. */
const MAX_SHOWN = 100_000;

const VIEWS = [
  { value: "content", label: "Content" },
  { value: "source", label: "Source" },
  { value: "record", label: "Record" },
];

interface EditorDetailProps {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** The content of a collaborative document. */
export function EditorDetail({ organizationId, documentId, editorId }: EditorDetailProps) {
  const apiQuery = useApiQuery("/v2/crdt/get", { organizationId, documentId, editorId });
  const editor = apiQuery.query.data?.data[0];
  return (
    <>
      <Panel
        title={`Editor ${editorId}`}
        apiQuery={apiQuery}
        isEmpty={(editors) => editors.length === 0}
        empty={<EmptyState>This editor does not exist. IDs are case-sensitive.</EmptyState>}
      >
        {([found]) => found && <Content editor={found} />}
      </Panel>
      {editor && <VersionList place={{ organizationId, documentId, editorId }} editor={editor} />}
    </>
  );
}

function Content({ editor }: { editor: Editor }) {
  const { get, change } = useUrlParameters();
  const { id, type, contentKey } = editor;
  const view = VIEWS.find(({ value }) => value === get("view"))?.value ?? "content";
  return (
    <>
      <Text size="xs" c="dimmed" component="div" className="details" mb="sm">
        <UntrustedText>{type}</UntrustedText>
        <span>
          content key <UntrustedText>{contentKey}</UntrustedText>
        </span>
        <LastChange editor={editor} />
      </Text>
      <div className="toolbar">
        <SegmentedControl
          size="xs"
          aria-label="Show"
          data={VIEWS}
          value={view}
          onChange={(next) => change({ view: next === "content" ? undefined : next }, { replace: true })}
        />
        <Button size="compact-xs" variant="default" onClick={() => downloadJson(`editor ${id}`, editor)}>
          Download
        </Button>
      </div>
      {view === "content" && <Readable editor={editor} />}
      {view === "source" && <LongCode label="Source" text={getSource(editor)} />}
      {view === "record" && <LongCode label="Record" text={escapeBidiControls(JSON.stringify(editor, null, 2))} />}
    </>
  );
}

/** Text content, or a tree of structured content. */
function Readable({ editor: { type, data } }: { editor: Editor }) {
  const nodes = useMemo(() => buildTree(type, data), [type, data]);
  if (data === "") return <Text size="sm">This editor is empty.</Text>;
  if (nodes) return <Tree label="Content" nodes={nodes} />;
  return <LongCode label="Content" text={String(data)} />;
}

function buildTree(type: string, data: Editor["data"]): TreeNode[] | undefined {
  if (typeof data !== "string") return parseJsonTree("", data).children;
  return type === "xml" ? parseXmlTree(data) : undefined;
}

function LongCode({ label, text }: { label: string; text: string }) {
  if (text.length <= MAX_SHOWN) return <Code label={label} text={text} />;
  return (
    <>
      <Text size="sm" mb="xs">
        Showing the first {formatCount(MAX_SHOWN)} of {pluralize(text.length, "character")}. Download the file to see
        all of them.
      </Text>
      <Code label={label} text={text.slice(0, MAX_SHOWN)} />
    </>
  );
}
