import type { Database } from "../database/database.ts";
import { findRoles } from "../features/access/find-roles.ts";
import { ChangeReporter } from "../features/crdt/reports/change-reporter.ts";
import { DocumentSync } from "../features/crdt/sync/document-sync.ts";
import type { SyncCaller } from "../features/crdt/sync/sync-caller.ts";
import { VersionTimer } from "../features/crdt/versions/automatic/version-timer.ts";
import type { EventFeed } from "../features/events/feed.ts";
import type { ConnectedUsers } from "../features/presence/connections/connected-users.ts";
import { requireAccessible } from "../features/tenancy/access-block.ts";
import { openOrganization } from "../features/tenancy/organization-scope.ts";
import { countedUser } from "../http/request-limits.ts";
import { type CallingPage, registerWebSockets } from "../http/web-sockets.ts";
import type { CallerChecks } from "./authentication.ts";
import type { Listener } from "./listener.ts";
import type { StartContext } from "./start-context.ts";

/** Creates the synchronization of collaborative documents, without clients, and begins to report their changes. */
export async function openDocumentSync(
  { config, log, resources }: StartContext,
  { database, feed, connectedUsers }: { database: Database; feed: EventFeed; connectedUsers: ConnectedUsers },
): Promise<DocumentSync> {
  const reporter = new ChangeReporter({ database, log, reportMs: config.limits.crdtReportMs });
  resources.defer(() => reporter.stop());
  const versions = new VersionTimer({ database, log, pollMs: config.limits.crdtVersionPollMs });
  resources.defer(() => versions.stop());
  const subscribe: EventFeed["subscribe"] = (key, interest) => feed.subscribe(key, interest);
  const documentSync = new DocumentSync({ database, connectedUsers, subscribe, log });
  resources.defer(() => documentSync.stop());
  return documentSync;
}

interface Dependencies {
  listener: Listener;
  database: Database;
  checks: CallerChecks;
  documentSync: DocumentSync;
}

/** Accepts the WebSockets of collaborative documents until the service stops. */
export function acceptSyncSockets({ config, resources }: StartContext, dependencies: Dependencies): void {
  const { listener, documentSync } = dependencies;
  const accepting = registerWebSockets(listener.server, {
    ...{ crossOrigin: dependencies.checks.crossOrigin, limits: config.limits },
    accept: (socket, page) => documentSync.connect(socket, createSyncCaller(page, dependencies)),
    closing: (reason) => documentSync.countClosing(reason),
  });
  // Sockets are closed before the listener waits for its connections.
  resources.defer(async () => {
    await documentSync.stop();
    accepting.stop();
  });
}

/** Returns the checks of the user tokens that the clients of a socket send. */
function createSyncCaller(page: CallingPage, { database, checks }: Dependencies): SyncCaller {
  return {
    async authenticate(token) {
      const { apiKey, clientAddress } = page;
      const caller = await checks.userTokens.authenticate({ token, apiKey, clientAddress });
      await page.admit(caller);
      return caller;
    },
    async findRole({ workspace, user }, { organizationId, documentId }) {
      const asUser = database.forMember({ ...countedUser(workspace, user), organization: organizationId });
      await requireAccessible(openOrganization(asUser, workspace, organizationId), documentId);
      const resources = { organizationId, documentIds: [documentId] };
      const [role = null] = await findRoles(asUser, workspace, user, resources);
      return role;
    },
  };
}
