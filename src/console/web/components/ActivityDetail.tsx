import { Table } from "@mantine/core";
import type { Activity } from "../api/records.ts";
import { activityMessage, type FieldChange, fieldChanges } from "./activity-text.ts";
import { displayText } from "./display-text.ts";
import { FactList } from "./FactList.tsx";
import { getFeatureLabel } from "./features.ts";
import { placeFacts, RecordHead } from "./RecordHead.tsx";
import { Time } from "./Time.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

/** An activity for readers: who did what, when and where, and the values that changed. */
export function ActivityDetail({ activity }: { activity: Activity }) {
  const { metadata, actionUser, actionType, featureType, targetEntityId, timestamp, changes } = activity;
  const changed = fieldChanges(changes);
  return (
    <>
      <RecordHead headline={activityMessage(activity)} organizationId={metadata.organizationId} user={actionUser} />
      <FactList
        facts={[
          ["Time", <Time key="time" at={timestamp} />],
          ...placeFacts(metadata),
          ["Feature", getFeatureLabel(featureType)],
          ["Action", <UntrustedText key="action">{actionType}</UntrustedText>],
          ...(targetEntityId === undefined
            ? []
            : [["Target", <UntrustedText key="target">{targetEntityId}</UntrustedText>] as const]),
        ]}
      />
      {changed.length > 0 && <ChangeTable changes={changed} />}
    </>
  );
}

function ChangeTable({ changes }: { changes: FieldChange[] }) {
  return (
    <Table verticalSpacing="xs" aria-label="Changes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Field</Table.Th>
          <Table.Th scope="col">From</Table.Th>
          <Table.Th scope="col">To</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, from, to }) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">
              <UntrustedText>{field}</UntrustedText>
            </Table.Th>
            <ValueCell value={from} />
            <ValueCell value={to} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ValueCell({ value }: { value: unknown }) {
  return <Table.Td>{value === undefined ? "none" : <UntrustedText>{displayText(value)}</UntrustedText>}</Table.Td>;
}
