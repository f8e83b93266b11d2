import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { UserRecord } from "../../api/records.ts";
import { type ApiQuery, useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_USER } from "../../components/example-requests.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeletionProgress, useIsDeletionCompleted } from "./DeletionProgress.tsx";
import { UserDetail } from "./UserDetail.tsx";
import { UserOrganizations } from "./UserOrganizations.tsx";

const FOUND_PAGE_SIZE = 20;

/** A person's record in one organization. */
export interface FoundUser {
  organizationId: string;
  user: UserRecord;
}

/** What is stored about one person, to be shown, handed over or deleted. */
export default function PeoplePage() {
  const { get } = useUrlParameters();
  const [user, email, jobId] = [get("user"), get("email"), get("job")];
  return (
    <>
      <PageTitle title="People">Look somebody up, see and export what is stored about them, or delete it.</PageTitle>
      <LookUp key={`${user} ${email}`} />
      {jobId !== undefined && <DeletionProgress key={jobId} jobId={jobId} />}
      {user !== undefined && <UserById key={user} userId={user} />}
      {user === undefined && email !== undefined && <UsersByEmail email={email} />}
      {user === undefined && email === undefined && (
        <EmptyState first={EXAMPLE_USER}>
          People are known by the ids that your backend gives them; the page of each organization lists its people. This
          command makes somebody known:
        </EmptyState>
      )}
    </>
  );
}

type Kind = "user" | "email";

function LookUp() {
  const { get, change, all } = useUrlParameters();
  const [kind, setKind] = useState<Kind>(get("user") === undefined && get("email") !== undefined ? "email" : "user");
  const [text, setText] = useState(get("user") ?? get("email") ?? "");
  function submit(event: FormEvent): void {
    event.preventDefault();
    const cleared = Object.fromEntries(all.map((name) => [name, undefined]));
    change({ ...cleared, [kind]: text.trim() || undefined });
  }
  return (
    <search aria-label="Who">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label="Look up by"
            value={kind}
            data={[
              { value: "user", label: "Id" },
              { value: "email", label: "Address" },
            ]}
            onChange={({ currentTarget: { value } }) => setKind(value === "email" ? "email" : "user")}
          />
          <TextInput
            label={kind === "email" ? "E-mail address" : "Id of the person"}
            description={kind === "email" ? undefined : "The userId that your backend sends"}
            type={kind === "email" ? "email" : "text"}
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

function useFound(person: { email: string } | { userId: string }): ApiQuery<FoundUser[]> {
  const { get } = useUrlParameters();
  return useApiQuery("/v2/workspace/users/get", { ...person, pageSize: FOUND_PAGE_SIZE, pageToken: get("found") });
}

function UsersByEmail({ email }: { email: string }) {
  const apiQuery = useFound({ email });
  return (
    <UserOrganizations
      apiQuery={apiQuery}
      empty={
        <Text size="sm">
          Nobody is known by <UntrustedText>{email}</UntrustedText> in any organization. People's addresses are those
          their records were added with.
        </Text>
      }
    />
  );
}

function UserById({ userId }: { userId: string }) {
  const isDeleted = useIsDeletionCompleted();
  const apiQuery = useFound({ userId });
  return (
    <>
      <UserOrganizations
        apiQuery={apiQuery}
        empty={
          <Text size="sm">
            No organization has a record of <UntrustedText>{userId}</UntrustedText>.{" "}
            {isDeleted
              ? "Nothing was left when the job ended."
              : "There may still be data of that id: name an organization below to see it; export and delete work " +
                "without a record."}
          </Text>
        }
      />
      <UserDetail userId={userId} known={apiQuery.query.data?.data} />
    </>
  );
}
