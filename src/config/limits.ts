/** Limits that protect the service from its callers. They are not configurable; tests replace them. */
export interface Limits {
  /** Requests that wait to be in progress. */
  admission: { maxWaiting: number; maxWaitMs: number };
  /**
   * Time that a statement waits for its caller's turn. Noticing that the database has stopped responding takes less and
   * ends the wait, so only a busy database lets it time out.
   */
  databaseTurnMs: number;
  /** Request bodies that are held in memory, for all callers together. */
  bodies: { maxBytes: number };
  /** Responses of more than 64 KiB that their clients have not read. */
  unsentResponses: {
    maxBytes: number;
    /** Time without progress after which a client is cut off: `always`, and while `maxBytes` or a share is exceeded. */
    stalledMs: { always: number; whenFull: number };
  };
  /** Messages of WebSockets that their clients have not read; the times are as for `unsentResponses`. */
  unsentMessages: { maxBytes: number; stalledMs: { always: number; whenFull: number } };
  /** Large messages of WebSockets, which take the event loop a while to build. */
  largeResponses: {
    /** Time that one waits until it is built, once its client has read what was sent before. */
    maxWaitMs: number;
    /** Time of the event loop that one caller may take at once, and for each second. */
    burstMs: number;
    msPerSecond: number;
  };
  /** Times for receiving a request, and how often they are checked. */
  receiving: { maxMs: number; checkIntervalMs: number };
  /** Uploads of files at a process. Each may take `maxMs` and the time that its size takes at the slowest speed. */
  uploads: {
    maxOfWorkspace: number;
    maxOfUser: number;
    maxMs: number;
    minBytesPerSecond: number;
    /** Time without progress after which an upload ends. */
    stalledMs: number;
    checkIntervalMs: number;
  };
  /** Requests with wrong credentials from one client address. */
  wrongCredentials: {
    /** Number of requests in a burst. */
    burst: number;
    perSecond: number;
    /** Time that a rejection past the limit takes, so that a client that retries at once is slow. */
    delayMs: number;
  };
  /** Time that a rejection of a user past a rate takes, so that a client that retries at once is slow. */
  userRates: { delayMs: number };
  /** WebSockets whose callers are not known, because they have sent no valid token yet. */
  unauthenticatedSockets: {
    /** Number of open ones of one client address. */
    maxOfClient: number;
    maxBytes: number;
    maxMs: number;
  };
  /** WebSockets of a process that have sent a valid token. */
  authenticatedSockets: { maxOfUser: number };
  /** Event streams of a process, and requests that wait for events. */
  streams: {
    maxOfWorkspace: number;
    maxOfUser: number;
    /** Bytes that may wait for a client, and the time within which it must then read them. Cut off, it can resume. */
    maxUnreadBytes: number;
    unreadMs: number;
  };
  /** Time for which a process caches what a user may do. Changes of access must take effect within a second. */
  roleCacheMs: number;
  /** Time within which all processes write the events of a workspace to which somebody begins to listen. */
  eventLogStartMs: number;
  /** Time after the first change of a collaborative document at which an event reports its changes. */
  crdtReportMs: number;
  /** Interval at which a process looks for collaborative documents that need an automatic version. */
  crdtVersionPollMs: number;
  /** Time that a client has to connect again, here or at another process, before its user goes offline. */
  lingeringMs: number;
  /** Interval at which an idle worker looks for jobs that other processes have sent; pg-boss allows 0.5 s and more. */
  jobPollSeconds: number;
  /** Interval at which a process looks for due webhook messages, and for events of which no process notified it. */
  webhookPollMs: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
/** Processes past this number do not get smaller budgets, which would reject the largest bodies and responses. */
const MAX_SHARES = 8;
/** The same for messages: the largest document fits into the share of one user. */
const MAX_MESSAGE_SHARES = 4;

/** Maximum numbers and sizes of what is stored. */
export const RECORD_LIMITS = {
  /** Annotations of a document. */
  annotations: 10_000,
  /** An annotation with its comments, which is also the maximum size of a page. */
  annotationBytes: 8 * MIB,
  /** Members of the user groups that the comments of a request mention. */
  mentionedMembers: 1_000,
  /** Collaborative documents of a document. */
  editors: 1_000,
  /** Versions of a collaborative document. */
  versions: 100,
  versionBytes: 100 * MIB,
  /** Live states of a document. */
  liveStates: 100,
  /** Connections of users who share presence data in a document, and of one user among them. */
  presenceConnections: 200,
  presenceConnectionsOfUser: 10,
  /** JSON text of a live state, or of an organization, document or user with its metadata. */
  recordBytes: 64 * KIB,
  /** Folders of an organization. */
  folders: 10_000,
  /** Auth tokens and webhook endpoints of a workspace. */
  authTokens: 1_000,
  webhookEndpoints: 1_000,
  /** Allowed domains of a workspace. */
  domains: 10_000,
  /** Login links in 15 minutes, to an email address and from an address of a client. */
  loginLinksOfAddress: 5,
  loginLinksOfClient: 20,
} as const;

/** Largest sizes and numbers in a request. */
export const REQUEST_LIMITS = {
  /** Body of an operation that sets no other size, of one that is processed in a thread, and of one without headers. */
  bodyBytes: 2 * MIB,
  threadedBodyBytes: 10 * MIB,
  publicBodyBytes: 16 * KIB,
  /** Values in a body. Parsing and checking a million of them would take seconds. */
  values: 100_000,
  /** Levels of objects and arrays in a body. */
  depth: 64,
  /** UTF-16 code units of a name and an address in a list without pages. */
  shortText: 1_024,
  /** Bytes of presence data as JSON text. */
  presenceDataBytes: 2 * KIB,
  /** Elements, attributes and texts of XML, and its levels: Yjs and its clients walk the tree by recursion. */
  xmlValues: 250_000,
  xmlDepth: 256,
} as const;

/** Largest lists in a request of a user. A backend may send longer ones. */
export const USER_LISTS = { annotations: 20, comments: 20, mentions: 50, mentionedGroups: 10 } as const;

/** Limits of a service of one process. */
export const LIMITS: Limits = {
  admission: { maxWaiting: 20_000, maxWaitMs: 1_500 },
  databaseTurnMs: 8_000,
  bodies: { maxBytes: 256 * MIB },
  unsentResponses: { maxBytes: 128 * MIB, stalledMs: { always: 30_000, whenFull: 1_000 } },
  unsentMessages: { maxBytes: 128 * MIB, stalledMs: { always: 30_000, whenFull: 1_000 } },
  largeResponses: { maxWaitMs: 15_000, burstMs: 500, msPerSecond: 50 },
  receiving: { maxMs: 60_000, checkIntervalMs: 1_000 },
  uploads: {
    ...{ maxOfWorkspace: 500, maxOfUser: 10 },
    ...{ maxMs: 60_000, minBytesPerSecond: 32 * KIB, stalledMs: 30_000, checkIntervalMs: 1_000 },
  },
  wrongCredentials: { burst: 100, perSecond: 5, delayMs: 1_000 },
  userRates: { delayMs: 1_000 },
  unauthenticatedSockets: { maxOfClient: 100, maxBytes: 16 * 1024, maxMs: 5_000 },
  authenticatedSockets: { maxOfUser: 100 },
  streams: { maxOfWorkspace: 20_000, maxOfUser: 100, maxUnreadBytes: MIB, unreadMs: 5_000 },
  roleCacheMs: 500,
  eventLogStartMs: 1_000,
  crdtReportMs: 5_000,
  crdtVersionPollMs: 10_000,
  lingeringMs: 3_000,
  jobPollSeconds: 2,
  webhookPollMs: 1_000,
};

/** Share of a memory budget that one workspace may take. */
export const WORKSPACE_SHARE = 1 / 2;
/** Share that one caller may take. It holds the largest message, even in the smallest budget of a process. */
const CALLER_SHARE = 3 / 8;
/** Share that one user may take. */
const USER_SHARE = 1 / 10;
/** Bytes that one user may take in any case, up to the share of a caller: the largest message. */
const MIN_USER_BYTES = 12 * MIB;

/** Returns how many bytes of a memory budget one caller may take. */
export function getCallerBytes(maxBytes: number, { isCapped }: { isCapped?: boolean }): number {
  const ofCaller = maxBytes * CALLER_SHARE;
  return isCapped ? Math.min(ofCaller, Math.max(maxBytes * USER_SHARE, MIN_USER_BYTES)) : ofCaller;
}

/** Returns the limits of each process, which share the memory for bodies, responses and messages. */
export function getProcessLimits(processes: number): Limits {
  const share = 1 / Math.min(processes, MAX_SHARES);
  const { bodies, unsentResponses, unsentMessages } = LIMITS;
  return {
    ...LIMITS,
    bodies: { maxBytes: bodies.maxBytes * share },
    unsentResponses: { ...unsentResponses, maxBytes: unsentResponses.maxBytes * share },
    unsentMessages: { ...unsentMessages, maxBytes: unsentMessages.maxBytes / Math.min(processes, MAX_MESSAGE_SHARES) },
  };
}
