import { Autocomplete } from "@mantine/core";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiQuery } from "../../../api/use-api.ts";
import { userLabel } from "../../../components/display-text.ts";
import { UntrustedText } from "../../../components/UntrustedText.tsx";

const OFFERED_USERS = 50;

interface KnownUser {
  userId: string;
  name?: string;
  email?: string;
}

/** Users by their ID. */
export type KnownUsers = ReadonlyMap<string, KnownUser>;

interface UserFieldProps {
  label: string;
  description?: string;
  users: KnownUsers;
  /** ID of the user, which may be one that is not offered. */
  value: string;
  error: string | undefined;
  onChange: (userId: string) => void;
}

/** A field for the ID of a user, which offers the known ones by name, address and ID. */
export function UserField({ users, error, ...rest }: UserFieldProps) {
  return (
    <Autocomplete
      placeholder="User ID"
      data={[...users.keys()]}
      limit={20}
      filter={({ options, search, limit }) =>
        options.filter((option) => "value" in option && isMatch(users.get(option.value), search)).slice(0, limit)
      }
      renderOption={({ option }) => <UserOption user={users.get(option.value)} />}
      error={error}
      {...rest}
    />
  );
}

/** Returns the users to offer: those of the annotation, then the first of the organization. */
export function useKnownUsers({ comments, assignedTo, metadata }: CommentAnnotation): KnownUsers {
  const { organizationId } = metadata;
  const { query } = useApiQuery("/v2/users/get", { organizationId, pageSize: OFFERED_USERS });
  const stored = Array.isArray(query.data?.data) ? query.data.data : [];
  const participants: KnownUser[] = [...comments.map(({ from }) => from), ...(assignedTo ? [assignedTo] : [])];
  const users = new Map<string, KnownUser>();
  for (const { userId, name, email } of [...participants, ...stored]) {
    if (!users.has(userId)) users.set(userId, { userId, ...(name && { name }), ...(email && { email }) });
  }
  return users;
}

function isMatch(user: KnownUser | undefined, search: string): boolean {
  if (!user) return false;
  const texts = [user.userId, user.name ?? "", user.email ?? ""];
  return texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
}

function UserOption({ user }: { user: KnownUser | undefined }) {
  if (!user) return null;
  const label = userLabel(user);
  return (
    <span>
      <UntrustedText>{label}</UntrustedText>
      {label !== user.userId && (
        <>
          {" "}
          (<UntrustedText>{user.userId}</UntrustedText>)
        </>
      )}
    </span>
  );
}
