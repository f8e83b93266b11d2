import { Text } from "@mantine/core";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { UserOrganizations, useFoundUsers } from "./UserOrganizations.tsx";
import { UserPage } from "./UserPage.tsx";
import { UserSearch } from "./UserSearch.tsx";
import { UserTable } from "./UserTable.tsx";
import { WorkspaceUserTable } from "./WorkspaceUserTable.tsx";

/** Shows the users of an organization or of all, or one user to view, export or delete their data. */
export default function PeoplePage() {
  const { get } = useUrlParameters();
  const [user, email] = [get("user"), get("email")];
  if (user !== undefined) return <UserPage key={user} userId={user} />;
  return (
    <>
      <PageTitle title="People">The users of your customers. Open one to view, export or delete their data.</PageTitle>
      {email === undefined ? <Users /> : <UsersByEmail email={email} />}
    </>
  );
}

/** The users of the organization that the URL selects, or of all. */
function Users() {
  const isOfAll = useUrlParameters().get("organization") === undefined;
  const selected = useSelectedOrganization({ allowsDisabled: true, isOptional: true });
  const { organizationId } = selected;
  return (
    <>
      <Filters hasViews label="Filters of users">
        <UserSearch />
        <OrganizationSelect selected={selected} hasAll />
      </Filters>
      {isOfAll && <WorkspaceUserTable />}
      {!isOfAll && organizationId === undefined && <NoOrganizationPanel title="Users" selected={selected} />}
      {organizationId !== undefined && (
        <UserTable
          key={organizationId}
          organizationId={organizationId}
          isEnabled={selected.isEnabled}
          hasFilters={false}
        />
      )}
    </>
  );
}

function UsersByEmail({ email }: { email: string }) {
  const apiQuery = useFoundUsers({ email });
  return (
    <UserOrganizations
      apiQuery={apiQuery}
      empty={
        <Text size="sm">
          No user with the email address <UntrustedText>{email}</UntrustedText> in any organization.
        </Text>
      }
    />
  );
}
