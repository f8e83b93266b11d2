import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AuditEntry } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { ACTION_LABELS, actorLabel, isAction, targetTexts } from "./audit-actions.ts";

const PAGE_SIZE = 50;

/** The administrative acts of the workspace, optionally of one action. */
export function AuditLog() {
  const { get, link } = useUrlParameters();
  const named = get("action");
  const action = isAction(named) ? named : undefined;
  const apiQuery = useApiQuery("/v2/workspace/audit/get", {
    actions: action && [action],
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  return (
    <Panel
      title="Audit log"
      apiQuery={apiQuery}
      actions={
        action && (
          <Anchor component={Link} href={link({ action: undefined })} size="xs">
            Show all actions
          </Anchor>
        )
      }
      isEmpty={(entries) => entries.length === 0}
      empty={<EmptyState>No entries{action && " for this action"}.</EmptyState>}
    >
      {(entries, { pageToken }) => (
        <>
          <ul className="rows">
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
          <Pager label="the audit log" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}

function Row({ entry: { timestamp, action, actor, clientAddress, target } }: { entry: AuditEntry }) {
  const { link } = useUrlParameters();
  return (
    <li>
      <div>
        <Text size="sm" component="div">
          <Anchor component={Link} href={link({ action })} size="sm" c="inherit" underline="always">
            {ACTION_LABELS[action]}
          </Anchor>{" "}
          by <UntrustedText>{actorLabel(actor)}</UntrustedText>
        </Text>
        <Text size="xs" c="dimmed" component="div" className="details">
          <Time at={timestamp} />
          {clientAddress !== null && <span>from {clientAddress}</span>}
          {targetTexts(target).map((text) => (
            <UntrustedText key={text}>{text}</UntrustedText>
          ))}
        </Text>
      </div>
    </li>
  );
}
