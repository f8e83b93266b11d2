import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { FoundUser } from "../../api/records.ts";
import { type ApiQuery, useApiQuery } from "../../api/use-api.ts";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeletionProgress, useIsDeletionCompleted } from "./DeletionProgress.tsx";
import { UserDetail } from "./UserDetail.tsx";
import { UserOrganizations } from "./UserOrganizations.tsx";
import { UserTable } from "./UserTable.tsx";

const FOUND_PAGE_SIZE = 20;
const WITH_DATA = "/v2/users/data/organizations/get";

/** Shows the users of an organization, or one user to view, export or delete their data. */
export default function PeoplePage() {
  const { get } = useUrlParameters();
  const [user, email, jobId] = [get("user"), get("email"), get("job")];
  return (
    <>
      <PageTitle title="People">
        The users of your customers. Open or look up one to view, export or delete their data.
      </PageTitle>
      <UserSearch key={`${user} ${email}`} />
      {jobId !== undefined && <DeletionProgress key={jobId} jobId={jobId} />}
      {user !== undefined && <UserById key={user} userId={user} />}
      {user === undefined && email !== undefined && <UsersByEmail email={email} />}
      {user === undefined && email === undefined && <UsersOfOrganization />}
    </>
  );
}

/** The users of the organization that the URL selects. */
function UsersOfOrganization() {
  const selected = useSelectedOrganization({ allowsDisabled: true });
  const { organizationId } = selected;
  const organizationFilter = <OrganizationSelect selected={selected} />;
  if (organizationId !== undefined) {
    return <UserTable key={organizationId} {...{ organizationId, organizationFilter }} />;
  }
  return (
    <>
      <Filters>{organizationFilter}</Filters>
      <NoOrganizationPanel title="Users" selected={selected} />
    </>
  );
}

type SearchKey = "user" | "email";

function UserSearch() {
  const { get, change, all } = useUrlParameters();
  const isByEmail = get("user") === undefined && get("email") !== undefined;
  const [key, setKey] = useState<SearchKey>(isByEmail ? "email" : "user");
  const [text, setText] = useState(get("user") ?? get("email") ?? "");
  function submit(event: FormEvent): void {
    event.preventDefault();
    const cleared = Object.fromEntries(all.map((name) => [name, undefined]));
    change({ ...cleared, [key]: text.trim() || undefined });
  }
  return (
    <search aria-label="User search">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label="Look up by"
            value={key}
            data={[
              { value: "user", label: "ID" },
              { value: "email", label: "Email" },
            ]}
            onChange={({ currentTarget: { value } }) => setKey(value === "email" ? "email" : "user")}
          />
          <TextInput
            label={key === "email" ? "Email address" : "User ID"}
            placeholder={key === "email" ? undefined : "The userId that your backend sends"}
            type={key === "email" ? "email" : "text"}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            className="grow"
          />
          <Button type="submit">Look up</Button>
        </Group>
      </form>
    </search>
  );
}

function useFoundUsers(user: { email: string } | { userId: string }): ApiQuery<FoundUser[]> {
  const { get } = useUrlParameters();
  return useApiQuery("/v2/workspace/users/get", { ...user, pageSize: FOUND_PAGE_SIZE, pageToken: get("found") });
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

function UserById({ userId }: { userId: string }) {
  const { get } = useUrlParameters();
  const isDeleted = useIsDeletionCompleted();
  const apiQuery = useFoundUsers({ userId });
  const known = apiQuery.query.data?.data;
  const isAsked = known?.length === 0 && (isDeleted || get("organization") === undefined);
  const answer = useApiQuery(WITH_DATA, { userId }, { isEnabled: isAsked }).query.data;
  const withData = answer?.data;
  // An empty page with a token does not say that there is no data.
  const isGone = isDeleted && known?.length === 0 && withData?.length === 0 && answer?.pageToken === undefined;
  return (
    <>
      <UserOrganizations
        apiQuery={apiQuery}
        empty={
          <Text size="sm">
            {isGone
              ? "No user record. All data was deleted."
              : "No user record, but data may exist under this ID. Pick an organization to check."}
          </Text>
        }
      />
      <UserDetail {...{ userId, known, withData, isGone }} />
    </>
  );
}
