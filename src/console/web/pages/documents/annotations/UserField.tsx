import { Autocomplete } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiQuery, useApiRead } from "../../../api/use-api.ts";
import { userLabel } from "../../../components/display-text.ts";
import { textIssue } from "../../../components/text-issue.ts";
import { UntrustedText } from "../../../components/UntrustedText.tsx";

const OFFERED_USERS = 50;
/** Maximum number of users whose ID starts with the one that is looked up. */
const MAX_FOUND = 1_000;

export interface KnownUser {
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
      placeholder="Name, address or ID"
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
  for (const user of [...participants, ...stored]) {
    if (!users.has(user.userId)) users.set(user.userId, knownUser(user));
  }
  return users;
}

/**
 * Looks up the user of an ID before a form is submitted. The API accepts any ID, so a mistyped one would go unnoticed:
 * an unknown one has no user at first and a warning, and is accepted when it is looked up again.
 */
export function useUserLookUp({ metadata: { organizationId } }: CommentAnnotation, users: KnownUsers) {
  const read = useApiRead("/v2/users/figures/get");
  const [unknownId, setUnknownId] = useState<string>();
  async function find(userId: string): Promise<KnownUser | undefined> {
    if (textIssue(userId) !== undefined) return undefined;
    const known = users.get(userId) ?? (userId === unknownId ? { userId } : undefined);
    if (known) return known;
    const response = await read({ organizationId, search: userId, pageSize: MAX_FOUND });
    const found = response.users.find((user) => user.userId === userId);
    if (!found) setUnknownId(userId);
    return found && knownUser(found);
  }
  const { mutateAsync: lookUp, isPending, error } = useMutation({ mutationFn: find });
  const getWarning = (userId: string) =>
    textIssue(userId) ?? (userId === unknownId ? "No user has this ID. Submit again to use it anyway." : undefined);
  return { lookUp, isPending, error, getWarning: getWarning };
}

function knownUser({ userId, name, email }: KnownUser): KnownUser {
  return { userId, ...(name && { name }), ...(email && { email }) };
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
