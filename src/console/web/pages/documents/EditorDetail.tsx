import { Anchor, Button, SegmentedControl, Text } from "@mantine/core";
import { useMemo } from "react";
import { Link } from "wouter";
import type { Editor } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { escapeBidiControls } from "../../components/bidi.ts";
import { Code } from "../../components/Code.tsx";
import { downloadJson } from "../../components/download.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { LastChange } from "./LastChange.tsx";
import { Tree } from "./Tree.tsx";
import { parseJsonTree, parseXmlTree, type TreeNode } from "./tree.ts";

/** More of a text makes a page slow to scroll; the file has all of it. */
const MAX_SHOWN = 100_000;

const VIEWS = [
  { value: "content", label: "Content" },
  { value: "source", label: "Data" },
  { value: "record", label: "Record" },
];

interface EditorDetailProps {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** What stands in one editor. */
export function EditorDetail({ organizationId, documentId, editorId }: EditorDetailProps) {
  const { link } = useUrlParameters();
  const apiQuery = useApiQuery<Editor[]>("/v2/crdt/get", { organizationId, documentId, editorId });
  return (
    <>
      <Anchor component={Link} href={link({ editor: undefined, view: undefined })} size="sm">
        All editors of <UntrustedText>{documentId}</UntrustedText>
      </Anchor>
      <Panel
        title={`Editor ${editorId}`}
        apiQuery={apiQuery}
        isEmpty={(editors) => editors.length === 0}
        empty={
          <EmptyState>
            The document has no editor of this id. Ids are compared as they are, capitals included.
          </EmptyState>
        }
      >
        {([editor]) => editor && <Content editor={editor} />}
      </Panel>
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
          shared as <UntrustedText>{contentKey}</UntrustedText>
        </span>
        <LastChange editor={editor} />
      </Text>
      <div className="toolbar">
        <SegmentedControl
          size="xs"
          aria-label="Show"
          data={VIEWS}
          value={view}
          onChange={(chosen) => change({ view: chosen === "content" ? undefined : chosen }, { replace: true })}
        />
        <Button size="compact-xs" variant="default" onClick={() => downloadJson(`editor ${id}`, editor)}>
          Download
        </Button>
      </div>
      {view === "content" && <Readable editor={editor} />}
      {view === "source" && <LongCode label="Data" text={sourceOf(editor)} />}
      {view === "record" && <LongCode label="Record" text={escapeBidiControls(JSON.stringify(editor, null, 2))} />}
    </>
  );
}

/** A text as it is, anything else as a tree. */
function Readable({ editor: { type, data } }: { editor: Editor }) {
  const nodes = useMemo(() => treeOf(type, data), [type, data]);
  if (data === "") return <Text size="sm">It is empty.</Text>;
  if (nodes) return <Tree label="Content" nodes={nodes} />;
  return <LongCode label="Content" text={String(data)} />;
}

function treeOf(type: string, data: Editor["data"]): TreeNode[] | undefined {
  if (typeof data !== "string") return parseJsonTree("", data).children;
  return type === "xml" ? parseXmlTree(data) : undefined;
}

function sourceOf({ data }: Editor): string {
  return typeof data === "string" ? data : JSON.stringify(data, null, 2);
}

function LongCode({ label, text }: { label: string; text: string }) {
  if (text.length <= MAX_SHOWN) return <Code label={label} text={text} />;
  return (
    <>
      <Text size="sm" mb="xs">
        These are the first {pluralize(MAX_SHOWN, "character")} of {pluralize(text.length, "character")}; the download
        has all of them.
      </Text>
      <Code label={label} text={text.slice(0, MAX_SHOWN)} />
    </>
  );
}
