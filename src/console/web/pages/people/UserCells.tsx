import { Table, Text } from "@mantine/core";
import type { ResponseData } from "../../api/call.ts";
import { userLabel } from "../../components/display-text.ts";
import { LastActivityCell } from "../../components/LastActivityCell.tsx";
import { formatCount } from "../../components/numbers.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";

type User = ResponseData<"/v2/users/figures/get">["users"][number];

/** The cell with the name of a user, which opens the user's data in an organization. */
export function UserNameCell({ organizationId, user }: { organizationId: string; user: User }) {
  const { userId, email } = user;
  const label = userLabel(user);
  return (
    <Table.Th scope="row">
      <WithAvatar kind="user" id={userId} name={label}>
        <UserLink organizationId={organizationId} user={user} />
        {/* The next cells have the address. */}
        {label !== userId && email !== userId && (
          <Text size="xs" c="dimmed">
            <UntrustedText>{userId}</UntrustedText>
          </Text>
        )}
      </WithAvatar>
    </Table.Th>
  );
}

/** The cells with the address, the role and the statistics of a user in an organization. */
export function UserFigureCells({ user: { email, accessRole, documents, lastActivityAt } }: { user: User }) {
  return (
    <>
      <Table.Td data-label="Email" className="words">
        {email ? <UntrustedText>{email}</UntrustedText> : "none"}
      </Table.Td>
      <Table.Td data-label="Role" className="words role">
        {accessRole ?? "no role"}
      </Table.Td>
      <Table.Td data-label="Documents">{formatCount(documents)}</Table.Td>
      <LastActivityCell at={lastActivityAt} />
    </>
  );
}
