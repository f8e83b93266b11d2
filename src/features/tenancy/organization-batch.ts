import type { OrganizationKey } from "../../database/keys.ts";
import { type BatchedStatement, batched } from "../../database/statement.ts";
import { type StoredOrganization, storedOrganization } from "./organization-scope.ts";

/** A statement that concurrent calls share, whose calls name no organization: those of a batch are of one. */
interface OrganizationBatch<Call, Result>
  extends Pick<BatchedStatement<Call, Result>, "byteSize" | "conflictKeys" | "isTransaction" | "gatherMs"> {
  run(scope: StoredOrganization, calls: Call[]): Promise<Result[]>;
  /** Topic that is emitted after the commit of calls of the organization. */
  getTopic?(key: OrganizationKey): string;
}

/** Returns the function that runs a call in a batch with concurrent calls of the same organization, and no others. */
export function batchedInOrganization<Call, Result>(
  batch: OrganizationBatch<Call, Result>,
): (scope: StoredOrganization, call: Call) => Promise<Result> {
  const { run, byteSize, conflictKeys, getTopic, ...options } = batch;
  const statement = batched<{ key: OrganizationKey; call: Call }, Result>({
    ...options,
    organizationKey: ({ key }) => key,
    byteSize: ({ call }) => byteSize(call),
    conflictKeys: ({ call }) => conflictKeys(call),
    ...(getTopic && { getTopics: ({ key }) => [getTopic(key)] }),
    run: (database, key, calls) =>
      run(
        storedOrganization(database, key),
        calls.map(({ call }) => call),
      ),
  });
  return (scope, call) => scope.run(statement({ key: scope.key, call }));
}
