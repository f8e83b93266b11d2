import { Anchor, Button, Group, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import { isNotFound } from "../../api/api-error.ts";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { downloadJson } from "../../components/download.ts";
import { TextFactList } from "../../components/FactList.tsx";
import { formatCount } from "../../components/numbers.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { DeletionProgress } from "../people/DeletionProgress.tsx";
import { kindLabel } from "../people/RecordCounts.tsx";
import { actorLabel } from "../settings/audit-actions.ts";
import { utcTime } from "./deletion-text.ts";

const PATH = "/v2/users/data/deletions/receipt/get";
/** Number of organizations and kinds shown. The file has up to 10,000. */
const MAX_ENTRIES = 200;

type SignedReceipt = ResponseData<typeof PATH>;
type Receipt = SignedReceipt["receipt"];
type Counts = { deleted: number; stripped: number };

/** Shows the receipt of a deletion, to print or to keep as a signed file; its progress while it runs. */
export function ReceiptPage({ jobId }: { jobId: string }) {
  const apiQuery = useApiQuery(PATH, { jobId });
  return (
    <>
      <nav aria-label="Breadcrumb" className="unprinted">
        <Anchor component={Link} href="/deletions" size="sm">
          Deletions
        </Anchor>
      </nav>
      <PageTitle title="Receipt of a deletion" />
      {isNotFound(apiQuery.error) ? (
        <DeletionProgress jobId={jobId} />
      ) : (
        <Panel title="Receipt" apiQuery={apiQuery}>
          {(signed) => <ReceiptContent signed={signed} />}
        </Panel>
      )}
    </>
  );
}

function ReceiptContent({ signed }: { signed: SignedReceipt }) {
  const { receipt, signature } = signed;
  const hiddenEntries = receipt.entriesCount - Math.min(receipt.entries.length, MAX_ENTRIES);
  return (
    <>
      <TextFactList facts={[...getFacts(receipt), ["Signature", signature]]} />
      <CountTable
        label="Kind"
        rows={receipt.kinds.map(({ kind, ...counts }) => ({ key: kind, name: kindLabel(kind), ...counts }))}
      />
      {receipt.entries.length > 0 && (
        <CountTable
          label="Organization and kind"
          rows={receipt.entries.slice(0, MAX_ENTRIES).map(({ organizationId, kind, ...counts }) => ({
            key: `${organizationId}\n${kind}`,
            name: `${organizationId || "No organization"}: ${kindLabel(kind)}`,
            ...counts,
          }))}
        />
      )}
      {hiddenEntries > 0 && (
        <Text size="sm">{formatCount(hiddenEntries)} more entries are counted above and are not listed here.</Text>
      )}
      <Group mt="md" gap="xs" className="unprinted">
        <Button size="xs" variant="default" onClick={() => print()}>
          Print
        </Button>
        <Button size="xs" variant="default" onClick={() => downloadJson(`receipt ${receipt.jobId}`, signed)}>
          Download signed receipt
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        The command <code>colloquy receipt verify</code> checks the signature of the downloaded file.
      </Text>
    </>
  );
}

function getFacts(receipt: Receipt): [name: string, value: string][] {
  const { userIds, workspaceName, workspaceId, organizationIds, requestedBy, acceptedAt, completedAt, jobId } = receipt;
  return [
    ["Users", userIds.length === 0 ? "The IDs are no longer kept." : userIds.join(", ")],
    ["Workspace", workspaceName === "" ? workspaceId : `${workspaceName} (${workspaceId})`],
    ["Organizations", organizationIds?.join(", ") ?? "All organizations of the workspace"],
    ["Requested by", requestedBy === null ? "No longer kept." : actorLabel(requestedBy)],
    ["Accepted", utcTime(acceptedAt)],
    ["Completed", utcTime(completedAt)],
    ["Job ID", jobId],
  ];
}

function CountTable({ label, rows }: { label: string; rows: ({ key: string; name: string } & Counts)[] }) {
  return (
    <Table.ScrollContainer minWidth={360} mt="md">
      <Table withRowBorders={false} verticalSpacing={4} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{label}</Table.Th>
            <Table.Th scope="col">Deleted</Table.Th>
            <Table.Th scope="col">Others' records changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, name, deleted, stripped }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                <UntrustedText>{name}</UntrustedText>
              </Table.Th>
              <Table.Td>{formatCount(deleted)}</Table.Td>
              <Table.Td>{formatCount(stripped)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
