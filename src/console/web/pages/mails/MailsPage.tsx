import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoMatch } from "../../components/NoMatch.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { KeptFor } from "../../components/Retention.tsx";
import { SelectFilter } from "../../components/SelectFilter.tsx";
import { UserFilter } from "../../components/SuggestingFilters.tsx";
import { useUrlParameters } from "../../url.ts";
import { MailTable } from "./MailTable.tsx";
import { STATES } from "./states.ts";

const PATH = "/v2/workspace/mails/get";
const FILTERS = ["user", "state"];

/** Shows what became of the mails. */
export default function MailsPage() {
  const { get } = useUrlParameters();
  const selected = useSelectedOrganization({ isOptional: true });
  const userId = get("user");
  const state = STATES.find(({ value }) => value === get("state"))?.value;
  const organizationId = get("organization");
  const filters = { organizationId, userId, state };
  const apiQuery = useApiQuery(PATH, { ...filters, pageSize: usePageSize(), pageToken: get("page") });
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  return (
    <>
      <PageTitle title="Mails">
        The mails, with what the mail server said.
        <KeptFor kind="mailDays" /> Those that were kept and not sent are in the{" "}
        <Anchor component={Link} href="/outbox" inherit underline="always">
          Outbox
        </Anchor>
        .
      </PageTitle>
      <Filters hasViews>
        <OrganizationSelect selected={selected} keep={FILTERS} hasAll />
        <UserFilter organizationId={organizationId} />
        <SelectFilter label="State" name="state" options={STATES} />
      </Filters>
      <Panel
        title="Mails"
        apiQuery={apiQuery}
        isEmpty={(mails) => mails.length === 0}
        empty={
          isFiltered ? (
            <NoMatch filters={[...FILTERS, "organization"]}>No mail matches these filters.</NoMatch>
          ) : (
            <EmptyState>
              No mails yet. Mails about comments are sent once they are turned on in the email settings.
            </EmptyState>
          )
        }
      >
        {(mails, { pageToken }) => (
          <>
            <MailTable mails={mails} />
            <Pager hasSizes label="mails" nextToken={pageToken} />
          </>
        )}
      </Panel>
    </>
  );
}
