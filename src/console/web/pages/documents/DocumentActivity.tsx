import { Anchor, Text } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { ActivitySummary } from "../../components/ActivitySummary.tsx";
import { useDocumentNames } from "../../components/document-names.ts";
import { Panel } from "../../components/Panel.tsx";
import { RecordRow } from "../../components/RecordRow.tsx";
import { toTimeParameter } from "../../components/time-input.ts";

const RECENT_COUNT = 5;
const WEEK_MS = 7 * 86_400_000;

/** The newest activities in a document, with links to those of the last week and to all. */
export function DocumentActivity({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const [, navigate] = useLocation();
  const apiQuery = useApiQuery("/v2/activities/get", { organizationId, documentId, pageSize: RECENT_COUNT });
  const name = useDocumentNames(organizationId, [documentId])(documentId);
  const linkTo = (filter: Record<string, string>) =>
    `/activities?${new URLSearchParams({ organization: organizationId, document: documentId, ...filter })}`;
  return (
    <Panel
      title="Recent activity"
      apiQuery={apiQuery}
      actions={
        <Anchor component={Link} href={linkTo({ from: toTimeParameter(Date.now() - WEEK_MS) })} size="xs">
          Last 7 days
        </Anchor>
      }
      isEmpty={(activities) => activities.length === 0}
      empty={<Text size="sm">No activity in this document is stored.</Text>}
    >
      {(activities) => (
        <ul className="rows">
          {activities.map((activity) => (
            <RecordRow key={activity.id} onSelect={() => navigate(linkTo({ record: activity.id }))}>
              <ActivitySummary activity={activity} documentName={name} linkTo={linkTo} />
            </RecordRow>
          ))}
        </ul>
      )}
    </Panel>
  );
}
