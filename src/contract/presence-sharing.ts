import type { OrganizationKey } from "../database/keys.ts";

/** An event that only open streams get, and the log does not have. Its data is JSON text. */
export interface UnloggedEvent {
  event: string;
  data: string;
}

/** A user in a document. */
export interface PresenceRef {
  organizationKey: OrganizationKey;
  documentId: string;
  userId: string;
}

/** What a page sends about its user. */
export interface SentPresence extends PresenceRef {
  /** Workspace in whose name it is sent. */
  workspaceId: string;
  connectionId: string;
  /** JSON text of an object; undefined if the page has left. */
  data: string | undefined;
}

/** The data of users in documents, which pages share and the service does not store. */
export interface PresenceSharing {
  /** Sends data to the readers at all processes. Throws FAILED_PRECONDITION if too many connections have some. */
  send(sent: SentPresence): Promise<void>;
  /** Removes the data of users who have left documents, at all processes. */
  remove(organizationKey: OrganizationKey, users: readonly Omit<PresenceRef, "organizationKey">[]): void;
  /** Begins to read the data in documents. `wake` is called when there is some to take. */
  subscribe(
    place: { organizationKey: OrganizationKey; organizationId: string; documentIds: readonly string[] },
    wake: () => void,
  ): PresenceSubscription;
}

/** A reader of the data in documents, which first gets all that there is. */
export interface PresenceSubscription {
  /** Whether there is something to take. */
  readonly hasNews: boolean;
  /** Returns what is new, the newest data of each connection. */
  take(): UnloggedEvent[];
  end(): void;
}
