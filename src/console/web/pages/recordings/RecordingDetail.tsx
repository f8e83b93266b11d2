import { Text } from "@mantine/core";
import type { Recording } from "../../api/records.ts";
import { nameOrId } from "../../components/display-text.ts";
import { FactList } from "../../components/FactList.tsx";
import { placeFacts, RecordHead } from "../../components/RecordHead.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { AttachmentList } from "./AttachmentList.tsx";

/** A recording for readers: who made it, where it is, and its files. */
export function RecordingDetail({ recording }: { recording: Recording }) {
  const { annotationId, displayName, recordingType, mode, recordedTime, from, attachments = [], metadata } = recording;
  const texts = [
    ["Type", recordingType],
    ["Mode", mode],
    ["Duration", recordedTime?.display ?? recordedTime?.duration?.toString()],
  ] as const;
  return (
    <>
      <RecordHead headline={nameOrId(displayName, annotationId)} organizationId={metadata.organizationId} user={from} />
      <FactList
        facts={[
          ...placeFacts(metadata),
          ...texts.flatMap(([name, text]) =>
            text ? [[name, <UntrustedText key={name}>{text}</UntrustedText>] as const] : [],
          ),
        ]}
      />
      {attachments.length > 0 ? (
        <AttachmentList attachments={attachments} />
      ) : (
        <Text size="sm">This recording has no files.</Text>
      )}
    </>
  );
}
