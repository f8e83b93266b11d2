import { Anchor, Text } from "@mantine/core";
import { Fragment } from "react";
import { Link } from "wouter";
import type { FoundUser } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { RecordTitle } from "../../components/RecordTitle.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeletionProgress } from "./DeletionProgress.tsx";
import { UserDeletions, useUserDeletions } from "./UserDeletions.tsx";
import { UserDetail } from "./UserDetail.tsx";
import { UserOrganizations, useFoundUsers } from "./UserOrganizations.tsx";

const WITH_DATA = "/v2/users/data/organizations/get";

/** Shows one user, whose data can be viewed, exported and deleted, with or without a user record. */
export function UserPage({ userId }: { userId: string }) {
  const { get } = useUrlParameters();
  const jobId = get("job");
  const deletions = useUserDeletions(userId);
  const isDeleted = deletions.some(({ completedAt, organizationIds }) => completedAt !== null && !organizationIds);
  const apiQuery = useFoundUsers({ userId });
  const known = apiQuery.query.data?.data;
  const isAsked = known?.length === 0 && (isDeleted || get("organization") === undefined);
  const response = useApiQuery(WITH_DATA, { userId }, { isEnabled: isAsked }).query.data;
  const withData = response?.data;
  // An empty page with a token does not say that there is no data.
  const isGone = isDeleted && known?.length === 0 && withData?.length === 0 && response?.pageToken === undefined;
  return (
    <>
      <Title userId={userId} known={known} />
      {jobId !== undefined && <DeletionProgress key={jobId} jobId={jobId} />}
      <UserDeletions deletions={deletions} />
      <UserDetail
        {...{ userId, known, withData, isGone }}
        organizations={
          <UserOrganizations
            apiQuery={apiQuery}
            empty={
              <Text size="sm">
                {isGone
                  ? "No user record, and no data under this ID. All of it was deleted."
                  : "No user record, but data may exist under this ID. Pick another organization to check."}
                {!isDeleted && userId.includes("@") && <ByEmail email={userId} />}
              </Text>
            }
          />
        }
      />
    </>
  );
}

interface TitleProps {
  userId: string;
  /** The user's records; undefined while loading. */
  known: FoundUser[] | undefined;
}

/** The name of the user, with links to what the user did and was notified of. */
function Title({ userId, known = [] }: TitleProps) {
  const { get } = useUrlParameters();
  const organization = get("organization");
  const record = known.find(({ organizationId }) => organizationId === organization) ?? known[0];
  const { email } = record?.user ?? {};
  const name = record ? userLabel(record.user) : userId;
  const place = new URLSearchParams({ ...(organization && { organization }), user: userId });
  const inbox = new URLSearchParams({ ...(record && { organization: record.organizationId }), user: userId });
  const details = [userId, email].filter((detail) => detail !== undefined && detail !== name);
  return (
    <RecordTitle
      kind="user"
      id={userId}
      title={name}
      parents={[
        { label: "People", href: organization ? `/people?${new URLSearchParams({ organization })}` : "/people" },
      ]}
      links={[
        { label: "Activities", href: `/activities?${place}` },
        ...(record ? [{ label: "Inbox", href: `/notifications?${inbox}` }] : []),
      ]}
    >
      {[...new Set(details)].map((detail, index) => (
        <Fragment key={detail}>
          {index > 0 && " · "}
          <UntrustedText>{detail ?? ""}</UntrustedText>
        </Fragment>
      ))}
    </RecordTitle>
  );
}

function ByEmail({ email }: { email: string }) {
  return (
    <>
      {" "}
      <Anchor component={Link} href={`/people?${new URLSearchParams({ email })}`} size="sm" underline="always">
        Look up <UntrustedText>{email}</UntrustedText> as an email address
      </Anchor>
    </>
  );
}
