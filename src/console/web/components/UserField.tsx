import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApiQuery, useApiRead } from "../api/use-api.ts";
import { userLabel } from "./display-text.ts";
import { textIssue } from "./text-issue.ts";
import { UntrustedText } from "./UntrustedText.tsx";

const FIGURES = "/v2/users/figures/get";
const MAX_OFFERED = 20;
const DEBOUNCE_MS = 200;
/** Maximum number of users with a name or address that contains the text which is looked up. */
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
  "data-autofocus"?: boolean;
  onChange: (userId: string) => void;
}

/** A field for the ID of a user, which offers the known ones by name, address and ID. */
export function UserField({ users, error, ...rest }: UserFieldProps) {
  return (
    <Autocomplete
      placeholder="Name, address or ID"
      data={[...users.keys()]}
      limit={MAX_OFFERED}
      filter={({ options, search, limit }) =>
        options.filter((option) => "value" in option && isMatch(users.get(option.value), search)).slice(0, limit)
      }
      renderOption={({ option }) => <UserOption user={users.get(option.value)} />}
      error={error}
      {...rest}
    />
  );
}

/** Returns the users to offer for a text: these, then those of the organization that it finds. */
export function useKnownUsers(organizationId: string, text: string, first: readonly KnownUser[] = []): KnownUsers {
  const [typed] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const search = typed === "" || textIssue(typed) !== undefined ? undefined : typed;
  const { query } = useApiQuery(FIGURES, { organizationId, search, pageSize: MAX_OFFERED });
  const users = new Map<string, KnownUser>();
  for (const user of [...first, ...(query.data?.data.users ?? [])]) {
    if (!users.has(user.userId)) users.set(user.userId, knownUser(user));
  }
  return users;
}

/**
 * Looks up the user of an ID, name or address before a form is submitted. The API accepts any ID, so a mistyped one
 * would go unnoticed: an unknown one has no user at first and a warning, and is accepted when it is looked up again.
 */
export function useUserLookUp(organizationId: string, users: KnownUsers) {
  const read = useApiRead(FIGURES);
  const [unknownId, setUnknownId] = useState<string>();
  async function find(userId: string): Promise<KnownUser | undefined> {
    if (textIssue(userId) !== undefined) return undefined;
    const known = users.get(userId) ?? (userId === unknownId ? { userId } : undefined);
    if (known) return known;
    const byId = await read({ organizationId, userIds: [userId] });
    const search = { organizationId, search: userId, pageSize: MAX_FOUND };
    const found = byId.users[0] ?? getNamed((await read(search)).users, userId);
    if (!found) setUnknownId(userId);
    return found && knownUser(found);
  }
  const { mutateAsync: lookUp, isPending, error } = useMutation({ mutationFn: find });
  const getWarning = (userId: string) =>
    textIssue(userId) ?? (userId === unknownId ? "No user has this ID. Submit again to use it anyway." : undefined);
  return { lookUp, isPending, error, getWarning: getWarning };
}

/** Returns the only user who has the text as name or address. */
function getNamed<User extends KnownUser>(users: readonly User[], text: string): User | undefined {
  const isSame = (own: string | undefined) => own?.toLowerCase() === text.toLowerCase();
  const [named, ...others] = users.filter(({ name, email }) => isSame(name) || isSame(email));
  return others.length === 0 ? named : undefined;
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
