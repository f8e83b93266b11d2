import { Text } from "@mantine/core";
import { diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import type { Editor } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Loading } from "../../components/Panel.tsx";
import { type EditorRef, getSource, type Version } from "./version.ts";

/** Time after which two contents count as too different to compare. */
const TIMEOUT_MS = 1_000;

interface VersionComparisonProps {
  place: EditorRef;
  version: Version;
  /** The present content. */
  editor: Editor;
}

/** What was removed from a version and added since. */
export function VersionComparison({ place, version, editor }: VersionComparisonProps) {
  const { query, error } = useApiQuery("/v2/crdt/versions/get", { ...place, versionId: version.id });
  if (error) return <ErrorMessage error={error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  return <Comparison before={getSource(query.data.data)} after={getSource(editor)} />;
}

function Comparison({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS }), [before, after]);
  if (before === after) return <Text size="sm">Nothing has changed since.</Text>;
  if (!parts) return <Text size="sm">The contents are too long and too different to compare.</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls it.
    <pre className="comparison" tabIndex={0}>
      {parts.map(({ value, added, removed }, index) => {
        const text = revealBidiControls(value);
        // biome-ignore lint/suspicious/noArrayIndexKey: The parts have no other identity.
        if (added) return <ins key={index}>{text}</ins>;
        // biome-ignore lint/suspicious/noArrayIndexKey: The parts have no other identity.
        if (removed) return <del key={index}>{text}</del>;
        return text;
      })}
    </pre>
  );
}
