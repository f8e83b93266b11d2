import { Stack, Text } from "@mantine/core";
import type { AuditEntry } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { exactTime } from "../../components/exact-time.ts";
import { TextFactList } from "../../components/FactList.tsx";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoMatch } from "../../components/NoMatch.tsx";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { usePageSize } from "../../components/page-size.ts";
import { RecordList } from "../../components/RecordList.tsx";
import { Headline } from "../../components/RecordRow.tsx";
import { SelectFilter } from "../../components/SelectFilter.tsx";
import { type Suggestion, TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { TimeFilters } from "../../components/TimeFilters.tsx";
import { parseTime } from "../../components/time-input.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { ACTION_LABELS, actorLabel, entryKey, getTimeRange, isAction } from "./audit-actions.ts";
import { getOrganizationIds, targetFacts, targetTexts } from "./audit-target.ts";

const PATH = "/v2/workspace/audit/get";

const ACTIONS = Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label }));

/** The administrative acts of the workspace, by action, actor and time. */
export function AuditLog() {
  const { get } = useUrlParameters();
  const named = get("action");
  const action = isAction(named) ? named : undefined;
  const filters = {
    actions: action && [action],
    actorName: get("actor"),
    from: parseTime(get("from")),
    to: parseTime(get("to")),
  };
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const apiQuery = useApiQuery(PATH, { ...filters, pageSize: usePageSize(), pageToken: get("page") });
  const shown = apiQuery.query.data?.data ?? [];
  const toOrganizationName = useOrganizationNames(shown.flatMap(({ target }) => getOrganizationIds(target)));
  return (
    <Stack gap="md">
      <Filters hasViews label="Filters of the audit log">
        <SelectFilter label="Action" name="action" options={ACTIONS} />
        <TextFilter label="Actor" name="actor" placeholder="Token or address" suggestions={getActorNames(shown)} />
        <TimeFilters />
      </Filters>
      <RecordList
        title="Audit log"
        label="the audit log"
        path={PATH}
        apiQuery={apiQuery}
        recordsIn={(entries) => entries}
        empty={
          isFiltered ? (
            <NoMatch filters={["action", "actor", "from", "to"]}>No entry matches these filters.</NoMatch>
          ) : (
            <EmptyState>No entries.</EmptyState>
          )
        }
        recordTitle="Audit log entry"
        getId={entryKey}
        requestFor={getTimeRange}
        details={(entry) => <EntryDetail entry={entry} />}
      >
        {(entry) => <EntrySummary entry={entry} toOrganizationName={toOrganizationName} />}
      </RecordList>
    </Stack>
  );
}

/** Returns the name of each actor of the entries once. */
function getActorNames(entries: AuditEntry[]): Suggestion[] {
  const names = entries.flatMap(({ actor: { name } }) => (name === null ? [] : [name]));
  return [...new Set(names)].map((value) => ({ value, label: value }));
}

interface EntrySummaryProps {
  entry: AuditEntry;
  toOrganizationName: (id: string) => string;
}

function EntrySummary({ entry, toOrganizationName }: EntrySummaryProps) {
  const { timestamp, action, actor, clientAddress, target } = entry;
  const { link } = useUrlParameters();
  return (
    <>
      <Headline>
        <FilterLink href={link({ action })}>{ACTION_LABELS[action]}</FilterLink> by{" "}
        {actor.name === null ? (
          actorLabel(actor)
        ) : (
          <FilterLink href={link({ actor: actor.name })}>
            <UntrustedText>{actorLabel(actor)}</UntrustedText>
          </FilterLink>
        )}
      </Headline>
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        {clientAddress !== null && <span>from {clientAddress}</span>}
        {targetTexts(target, toOrganizationName).map((text) => (
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
        ...targetFacts(target, String),
        ["Entry ID", id],
      ]}
    />
  );
}
