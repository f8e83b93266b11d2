import { bigint, integer, sql, texts, unprepared, uuid } from "../../../database/sql.ts";
import { findAddress } from "../../../email/address.ts";
import { findNamedAddresses } from "../../purge/named-addresses.ts";
import { existedAt } from "../../purge/purge-queries.ts";
import type { DeletedUsers } from "../../purge/user-data-kind.ts";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";

const COMMENTS_AT_ONCE = 500;

const IS_TAGGED = sql`role = 'mentioned'`;

/** Annotations in which the users are tagged. */
export const TAGS = { table: "comment_users", writtenAt: "created_at", condition: IS_TAGGED };

/** Yields the addresses of the users in tags, except for those of other users of the organization. */
export async function* readTaggedAddresses(
  organization: StoredOrganization,
  users: DeletedUsers,
): AsyncGenerator<string> {
  const userIds = new Set(users.userIds);
  const found = new Set<string>();
  let after: Position | undefined = [0, -1];
  while (after) {
    const comments: TaggedComment[] = await selectTaggedComments(organization, users, after);
    for (const { record } of comments) {
      for (const address of findNamedAddresses(JSON.parse(record), userIds)) found.add(findAddress(address));
    }
    const last = comments.length === COMMENTS_AT_ONCE ? comments.at(-1) : undefined;
    after = last && [last.sequence, last.id];
  }
  if (found.size === 0) return;
  const others = await selectAddressesOfOthers(organization, users, [...found]);
  for (const address of found) if (!others.has(address.toLowerCase())) yield address;
}

type Position = readonly [sequence: number, id: number];

interface TaggedComment {
  sequence: number;
  id: number;
  record: string;
}

/** Returns the next comments with contacts in which the users are tagged, by annotation and ID. */
function selectTaggedComments(
  scope: StoredOrganization,
  { userIds, accepted }: DeletedUsers,
  [sequence, id]: Position,
): Promise<TaggedComment[]> {
  const key = uuid(scope.key);
  return scope.run(
    unprepared(
      sql<TaggedComment>`select annotation_sequence as sequence, id, record::text as record from comments
        where organization_key = ${key} and annotation_sequence in (
            select annotation_sequence from comment_users
            where organization_key = ${key} and user_id = any(${texts(userIds)}) and ${IS_TAGGED})
          and tagged_user_ids && ${texts(userIds)} and record::text like '%"contact"%'
          and ${existedAt({ writtenAt: "created_at" }, accepted)}
          and (annotation_sequence, id) > (${bigint(sequence)}, ${bigint(id)})
        order by annotation_sequence, id limit ${integer(COMMENTS_AT_ONCE)}`,
    ),
  );
}

/** Returns which of the addresses other users have, in lower case. */
async function selectAddressesOfOthers(
  scope: StoredOrganization,
  { userIds }: DeletedUsers,
  addresses: readonly string[],
): Promise<Set<string>> {
  const rows = await scope.run(
    unprepared(
      sql<{ email: string }>`select distinct email from users
        where organization_key = ${uuid(scope.key)} and user_id <> all(${texts(userIds)})
          and email = any(${texts(addresses.map((address) => address.toLowerCase()))})`,
    ),
  );
  return new Set(rows.map(({ email }) => email));
}
