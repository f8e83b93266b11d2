import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AuditEntry } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { exactTime } from "../../components/exact-time.ts";
import { TextFactList } from "../../components/FactList.tsx";
import { FilterLink } from "../../components/FilterLink.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { Headline } from "../../components/RecordRow.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import {
  ACTION_LABELS,
  actorLabel,
  entryKey,
  getTimeRange,
  isAction,
  targetFacts,
  targetTexts,
} from "./audit-actions.ts";

const PATH = "/v2/workspace/audit/get";
const PAGE_SIZE = 50;

/** The administrative acts of the workspace, optionally of one action. */
export function AuditLog() {
  const { get, link } = useUrlParameters();
  const named = get("action");
  const action = isAction(named) ? named : undefined;
  const apiQuery = useApiQuery(PATH, {
    actions: action && [action],
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  return (
    <RecordList
      title="Audit log"
      label="the audit log"
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={(entries) => entries}
      empty={<EmptyState>No entries{action && " for this action"}.</EmptyState>}
      actions={
        action && (
          <Anchor component={Link} href={link({ action: undefined })} size="xs">
            Show all actions
          </Anchor>
        )
      }
      recordTitle="Audit log entry"
      getId={entryKey}
      requestFor={getTimeRange}
      details={(entry) => <EntryDetail entry={entry} />}
    >
      {(entry) => <EntrySummary entry={entry} />}
    </RecordList>
  );
}

function EntrySummary({ entry: { timestamp, action, actor, clientAddress, target } }: { entry: AuditEntry }) {
  const { link } = useUrlParameters();
  return (
    <>
      <Headline>
        <FilterLink href={link({ action })}>{ACTION_LABELS[action]}</FilterLink> by{" "}
        <UntrustedText>{actorLabel(actor)}</UntrustedText>
      </Headline>
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        {clientAddress !== null && <span>from {clientAddress}</span>}
        {targetTexts(target).map((text) => (
          <UntrustedText key={text}>{text}</UntrustedText>
        ))}
      </Text>
    </>
  );
}

/** All that is kept of an act. */
function EntryDetail({ entry: { id, timestamp, action, actor, clientAddress, target } }: { entry: AuditEntry }) {
  return (
    <TextFactList
      facts={[
        ["Action", `${ACTION_LABELS[action]} (${action})`],
        ["Time", exactTime(timestamp)],
        ["Actor", actorLabel(actor)],
        ...(actor.id === null ? [] : [["ID of the actor", actor.id] as const]),
        ...(clientAddress === null ? [] : [["Address", clientAddress] as const]),
        ...targetFacts(target),
        ["Entry ID", id],
      ]}
    />
  );
}
