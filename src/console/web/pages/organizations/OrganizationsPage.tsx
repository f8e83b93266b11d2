import { Anchor, Badge, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { Organization } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { FIRST_ORGANIZATION } from "../../components/examples.ts";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { OrganizationDetail } from "./OrganizationDetail.tsx";

const PAGE_SIZE = 50;

/** All organizations, or the one that the address names. */
export default function OrganizationsPage() {
  const { get } = useParameters();
  const organizationId = get("organization");
  if (organizationId !== undefined) return <OrganizationDetail key={organizationId} organizationId={organizationId} />;
  return (
    <>
      <PageTitle title="Organizations">
        Your customers' teams or companies: what is kept belongs to one of them, and none sees another's.
      </PageTitle>
      <OrganizationList />
    </>
  );
}

function OrganizationList() {
  const { get, link } = useParameters();
  const search = get("search");
  const asked = useAnswer<Organization[]>("/v2/organizations/get", {
    search,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  return (
    <>
      <search className="filters" aria-label="Which organizations">
        <TextFilter
          label="Search"
          description="How a name begins, or the organizationId that your backend sends"
          name="search"
        />
      </search>
      <Panel
        title="By id"
        asked={asked}
        isEmpty={(organizations) => organizations.length === 0}
        empty={
          search ? (
            <Empty>
              No organization's name or id begins with <Verbatim>{search}</Verbatim>. Ids are compared as they are,
              capitals included.
            </Empty>
          ) : (
            <Empty first={FIRST_ORGANIZATION}>
              There is no organization yet. It comes to exist on its first use, or by this command of your backend:
            </Empty>
          )
        }
      >
        {(organizations, { pageToken }) => (
          <>
            <ul className="rows">
              {organizations.map(({ id, organizationName, disabled }) => (
                <li key={id}>
                  <div>
                    <Anchor
                      component={Link}
                      href={link({ organization: id, search: undefined, page: undefined })}
                      size="sm"
                    >
                      <Verbatim>{organizationName || id}</Verbatim>
                    </Anchor>
                    {organizationName && (
                      <Text size="xs" c="dimmed">
                        <Verbatim>{id}</Verbatim>
                      </Text>
                    )}
                  </div>
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
