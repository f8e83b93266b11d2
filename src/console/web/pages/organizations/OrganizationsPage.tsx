import { Anchor, Badge, Text } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_ORGANIZATION } from "../../components/example-requests.ts";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";
import { OrganizationDetail } from "./OrganizationDetail.tsx";

const PAGE_SIZE = 50;

/** Shows all organizations, or the one that the URL selects. */
export default function OrganizationsPage() {
  const { get } = useUrlParameters();
  const organizationId = get("organization");
  if (organizationId !== undefined) return <OrganizationDetail key={organizationId} organizationId={organizationId} />;
  return (
    <>
      <PageTitle title="Organizations">Your customers. Each organization's data is isolated from the others.</PageTitle>
      <OrganizationList />
    </>
  );
}

function OrganizationList() {
  const { get, link } = useUrlParameters();
  const search = get("search");
  const apiQuery = useApiQuery("/v2/organizations/get", {
    search,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  return (
    <>
      <search className="filters" aria-label="Filters">
        <TextFilter label="Search" description="Start of the name, or the organization ID" name="search" />
      </search>
      <Panel
        title="Organizations"
        apiQuery={apiQuery}
        isEmpty={(organizations) => organizations.length === 0}
        empty={
          search ? (
            <EmptyState>
              No organization's name or ID starts with <UntrustedText>{search}</UntrustedText>. IDs are case-sensitive.
            </EmptyState>
          ) : (
            <EmptyState example={EXAMPLE_ORGANIZATION}>
              No organizations yet. An organization is created on its first write, or when your backend adds it:
            </EmptyState>
          )
        }
      >
        {(organizations, { pageToken }) => (
          <>
            <ul className="rows">
              {organizations.map(({ id, organizationName, disabled }) => (
                <li key={id}>
                  <WithAvatar kind="organization" id={id} name={organizationName || id}>
                    <Anchor
                      component={Link}
                      href={link({ organization: id, search: undefined, page: undefined })}
                      size="sm"
                      data-opens
                    >
                      <UntrustedText>{organizationName || id}</UntrustedText>
                    </Anchor>
                    {organizationName && (
                      <Text size="xs" c="dimmed">
                        <UntrustedText>{id}</UntrustedText>
                      </Text>
                    )}
                  </WithAvatar>
                  {disabled && <Badge variant="default">Disabled</Badge>}
                </li>
              ))}
            </ul>
            <Pager label="organizations" nextToken={pageToken} />
          </>
        )}
      </Panel>
    </>
  );
}
