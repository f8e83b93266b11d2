import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useParameters } from "../../address.ts";
import type { UserRecord } from "../../api/records.ts";
import { type Asked, useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { FIRST_USER } from "../../components/examples.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { Deletion, useIsDeleted } from "./Deletion.tsx";
import { PersonDetail } from "./PersonDetail.tsx";
import { PersonFound } from "./PersonFound.tsx";

const FOUND_PAGE_SIZE = 20;

/** A person's record in one organization. */
export interface FoundUser {
  organizationId: string;
  user: UserRecord;
}

/** What is stored about one person, to be shown, handed over or deleted. */
export default function PeoplePage() {
  const { get } = useParameters();
  const [user, email, jobId] = [get("user"), get("email"), get("job")];
  return (
    <>
      <PageTitle title="People">Look somebody up, see and export what is stored about them, or delete it.</PageTitle>
      <LookUp key={`${user} ${email}`} />
      {jobId !== undefined && <Deletion key={jobId} jobId={jobId} />}
      {user !== undefined && <PersonById key={user} userId={user} />}
      {user === undefined && email !== undefined && <PeopleByAddress email={email} />}
      {user === undefined && email === undefined && (
        <Empty first={FIRST_USER}>
          People are known by the ids that your backend gives them; the page of each organization lists its people. This
          command makes somebody known:
        </Empty>
      )}
    </>
  );
}

type Kind = "user" | "email";

function LookUp() {
  const { get, change, all } = useParameters();
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

function useFound(person: { email: string } | { userId: string }): Asked<FoundUser[]> {
  const { get } = useParameters();
  return useAnswer("/v2/workspace/users/get", { ...person, pageSize: FOUND_PAGE_SIZE, pageToken: get("found") });
}

function PeopleByAddress({ email }: { email: string }) {
  const asked = useFound({ email });
  return (
    <PersonFound
      asked={asked}
      empty={
        <Text size="sm">
          Nobody is known by <Verbatim>{email}</Verbatim> in any organization. People's addresses are those their
          records were added with.
        </Text>
      }
    />
  );
}

function PersonById({ userId }: { userId: string }) {
  const isDeleted = useIsDeleted();
  const asked = useFound({ userId });
  return (
    <>
      <PersonFound
        asked={asked}
        empty={
          <Text size="sm">
            No organization has a record of <Verbatim>{userId}</Verbatim>.{" "}
            {isDeleted
              ? "Nothing was left when the job ended."
              : "There may still be data of that id: name an organization below to see it; export and delete work " +
                "without a record."}
          </Text>
        }
      />
      <PersonDetail userId={userId} known={asked.query.data?.data} />
    </>
  );
}
