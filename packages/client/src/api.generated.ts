/** Generated from the contracts by `npm run documentation`. Do not edit. */

export type ErrorStatus = "INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "PERMISSION_DENIED" | "NOT_FOUND" | "ALREADY_EXISTS" | "RESOURCE_EXHAUSTED" | "INTERNAL" | "UNAVAILABLE";

/** Roles on a document, each of which allows what the one before does. */
export type AccessRole = "viewer" | "commenter" | "editor" | "moderator";

export type Reason = "field_invalid" | "unknown_field" | "body_invalid" | "body_too_large" | "media_type_unsupported" | "method_not_allowed" | "request_invalid" | "request_timeout" | "headers_too_large" | "upload_mismatch" | "expectation_unmet" | "transfer_coding_unknown" | "page_token_invalid" | "activity_service_disabled" | "idempotency_key_invalid" | "credentials_missing" | "api_key_invalid" | "auth_token_invalid" | "auth_token_expired" | "credentials_ambiguous" | "user_token_invalid" | "user_token_expired" | "user_token_revoked" | "user_token_required" | "backend_only" | "identity_mismatch" | "access_denied" | "scope_missing" | "session_ended" | "session_not_allowed" | "workspace_unreachable" | "file_link_invalid" | "file_link_expired" | "login_link_invalid" | "origin_not_allowed" | "organization_disabled" | "document_disabled" | "organization_being_deleted" | "limit_reached" | "editor_mismatch" | "state_mismatch" | "document_too_large" | "secret_unreadable" | "webhooks_disabled" | "auth_token_required" | "workspace_required" | "range_unsatisfiable" | "operation_unknown" | "not_found" | "already_exists" | "activities_immutable" | "idempotency_key_reused" | "rate_limited" | "too_many_streams" | "domains_skipped" | "domains_not_allowed" | "internal_error" | "overloaded" | "starting" | "database_unavailable" | "storage_full" | "database_read_only" | "document_being_migrated" | "idempotency_key_in_progress" | "token_issuer_unavailable" | "conflict";

export interface AccessResult {
  success: boolean;
  message: string;
  code?: "not-found";
  accessType?: "public" | "organizationPrivate" | "restricted" | null;
  inheritFromParent?: boolean;
}

export interface Activity {
  id: string;
  featureType: "comment" | "reaction" | "recorder" | "crdt" | "custom";
  actionType: string;
  actionUser: User;
  targetEntityId?: string;
  targetSubEntityId?: string;
  /** Changes by field name, each as { from, to }. */
  changes?: {
    [field: string]: unknown;
  } | null;
  entityData?: unknown;
  entityTargetData?: unknown;
  /** Text with {{variable}} placeholders. */
  displayMessageTemplate?: string | null;
  displayMessageTemplateData?: {
    [field: string]: unknown;
  } | null;
  /** Key by which pages find their own text for the template, such as a translation. */
  messageKey?: string | null;
  actionIcon?: string | null;
  isActivityResolverUsed?: boolean;
  metadata: {
    apiKey: string;
    documentId: string;
    organizationId: string;
  };
  /** Milliseconds since the epoch: the time of the request, or the given time. */
  timestamp: number;
}

export interface ActivityServiceConfig {
  /** Whether activities can be added. */
  isEnabled: boolean;
  /** Whether activities can only be added, not changed or deleted. */
  immutable: boolean;
  /** Time when the service was last turned on, in milliseconds since the epoch. Missing if never. */
  enabledTime?: number;
  /** Switches by feature, such as `{ comment: { added: true } }`, or by flat names of events, such as `comment.add`, at most 100. */
  triggers: {
    [id: string]: boolean | {
      [id: string]: boolean;
    };
  };
}

export interface AddedAnnotationResult {
  success: boolean;
  message: string;
  annotationId: string;
  commentIds: Array<number>;
  findingId?: string;
}

export interface AdvancedWebhookConfig {
  /** Whether advanced webhooks are sent. */
  isEnabled: boolean;
  /** Whether bodies are encrypted. Requires `publicKey`. */
  encryptData: boolean;
  /** Whether bodies are sent as base64 in `encodedPayload`. */
  encodeData: boolean;
  /** RSA key that encrypts bodies: base64 of its SPKI or PKCS#1 form, without PEM lines. */
  publicKey: string;
  /** Whether bodies omit comment texts, names, addresses and attachments. */
  enableDataProtection: boolean;
}

export interface AnnotationResult {
  success: boolean;
  message: string;
  /** Present if the user may read the record, but not make this change. */
  reason?: "access_denied";
  /** Role that the change needs. */
  requiredRole?: "viewer" | "commenter" | "editor" | "moderator";
  id: string;
}

export interface AuditEntry {
  id: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  action: "activity_config.update" | "api_key_config.update" | "auth_token.add" | "auth_token.delete" | "auth_token.reset" | "document.delete" | "document.migrate" | "document.move" | "document_access.update" | "domain.add" | "domain.delete" | "email_config.update" | "folder.delete" | "folder.move" | "folder_access.update" | "notification_config.update" | "organization.delete" | "organization_access.update" | "permission.add" | "permission.remove" | "secret.rotate" | "session.begin" | "session.end" | "token_issuer_config.update" | "user.add" | "user.delete" | "user.update" | "user_data.delete" | "user_token.revoke" | "webhook_config.update" | "webhook_endpoint.add" | "webhook_endpoint.delete" | "webhook_endpoint.update" | "webhook_secret.rotate" | "workspace.add" | "workspace.backup" | "workspace.restore" | "workspace.update";
  actor: {
    /** `command_line` also stands for what a start creates. */
    type: "token" | "session" | "user" | "command_line";
    /** ID of the auth token, the session or the user. Null if the data of the user were deleted. */
    id: string | null;
    /** Name of the auth token, address of the session's owner, or ID of the user. */
    name: string | null;
  };
  /** IP address of the client. */
  clientAddress: string | null;
  /** IDs and counts of what was changed, by kind. */
  target: {
    [field: string]: unknown;
  };
}

export interface AuthToken {
  id: string;
  /** Masked, because the service stores only a hash, up to its last four characters. Shorter tokens than 32 characters are masked whole. */
  token: string;
  name: string;
  /** Always empty: allowed domains belong to the workspace. */
  domains: Array<string>;
  /** What the token allows: `read` data, `write` data, and `admin` (tokens, sessions, settings, the audit log, the outbox and the deletion of users). */
  scopes: Array<"read" | "write" | "admin">;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** Milliseconds since the epoch. */
  revokedAt?: number;
}

export interface ChangeResult {
  success: boolean;
  message: string;
  /** Present if the user may read the record, but not make this change. */
  reason?: "access_denied";
  /** Role that the change needs. */
  requiredRole?: "viewer" | "commenter" | "editor" | "moderator";
}

export interface CollaborativeDocument {
  /** The `editorId`. */
  id: string;
  /** A string for `text`, an object for `map`, an array of objects for `array`, an XML string for `xml`. */
  data: string | {
    [field: string]: unknown;
  } | Array<{
    [field: string]: unknown;
  }>;
  /** Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment. */
  type: "text" | "map" | "array" | "xml";
  /** Name of the content in the Yjs document. */
  contentKey: string;
  /** ISO 8601. */
  lastUpdate: string;
  /** ID of the user who made the newest change; null for the backend and deleted users. */
  lastUpdatedBy: string | null;
  /** Always null. */
  sessionId: string | null;
  schema?: EditorSchema;
  /** The Yjs document in Base64, as an update in format 1 for Y.applyUpdate. */
  state?: string;
}

export interface CollaborativeDocumentChange {
  kind: "added" | "removed" | "unchanged";
  text: string;
  /** The user who added or removed it; for an unchanged part, who wrote it. Null for the backend, deleted users and changes from before users were recorded. */
  userId: string | null;
  /** Keys of the maps around a value, from the outermost one. */
  path?: Array<string>;
}

export interface CollaborativeDocumentVersion {
  id: string;
  kind: "named" | "automatic";
  /** Null for an automatic version. */
  name: string | null;
  /** Users who changed the content since the version before. Users who were deleted are missing. */
  userIds: Array<string>;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface CollaborativeDocumentVersionWithContent {
  id: string;
  kind: "named" | "automatic";
  /** Null for an automatic version. */
  name: string | null;
  /** Users who changed the content since the version before. Users who were deleted are missing. */
  userIds: Array<string>;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** A string for `text`, an object for `map`, an array of objects for `array`, an XML string for `xml`. */
  data: string | {
    [field: string]: unknown;
  } | Array<{
    [field: string]: unknown;
  }>;
  /** Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment. */
  type: "text" | "map" | "array" | "xml";
  /** Name of the content in the Yjs document. */
  contentKey: string;
  /** The Yjs document in Base64, as an update in format 1 for Y.applyUpdate. */
  state?: string;
}

export interface Comment {
  commentText?: string;
  /** Stored as sent. Sanitize it before you display it. */
  commentHtml?: string;
  taggedUserContacts: Array<{
    /** Text of the tag in the comment, for example `@Grace`. */
    text?: string;
    userId: string;
    contact?: {
      userId?: unknown;
      name?: unknown;
      email?: string | null;
      [field: string]: unknown;
    };
  }>;
  taggedUserGroups?: Array<{
    /** Text of the tag in the comment, for example `@Legal`. */
    text?: string;
    groupId: string;
    /** Users whom the tag mentions: the members of the group when it was tagged, unless they are sent. */
    userIds: Array<string>;
  }>;
  attachments: Array<CommentAttachment>;
  /** Any JSON object without `access` and `accessFields`. It is returned equal. */
  context?: {
    access?: never;
    accessFields?: never;
    [field: string]: unknown;
  };
  /** Whether a resolver in your client holds the texts of the comment. */
  isCommentResolverUsed?: boolean;
  from: User;
  metadata?: {
    [field: string]: unknown;
  };
  agent?: {
    /** `external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service. */
    agentSource?: string;
    agentId?: string;
    agentName?: string;
    executionId?: string;
    /** Page that the agent has checked. */
    url?: string;
    reason?: {
      title?: string;
      description?: string;
      severity?: "critical" | "high" | "medium" | "low" | "info";
      findingId?: string;
      findingType?: "text" | "pin" | "page";
      issueType?: string;
      /** Percent. */
      confidence?: number;
      suggestion?: string;
      suggestedFix?: string;
      htmlSnippet?: string;
      htmlSelector?: string;
      source?: "instructions" | "knowledge";
      knowledgeSection?: string;
    };
  };
  updatedByUserId?: string;
  commentId: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Time of the last change in ISO 8601, in UTC. */
  lastUpdated: string;
  type: "text";
  status: "added" | "updated";
  isDraft: boolean;
  isCommentTextAvailable: boolean;
  /** Present if an agent has written the comment. */
  sourceType?: "agent";
  reactions: Array<{
    reaction: string;
    userIds: Array<string>;
  }>;
  reactionAnnotationIds: Array<string>;
  reactionAnnotations: Array<{
    annotationId: string;
    type: "reaction";
    /** The `reaction` as sent. */
    icon: string;
    commentAnnotationId: string;
    /** Milliseconds since the epoch. */
    lastUpdated: number;
    fromUsers: Array<{
      lastUpdated: number;
      from: User;
    }>;
  }>;
}

export interface CommentAnnotation {
  annotationId: string;
  type?: "comment" | "suggestion";
  commentType?: "manual" | "chart";
  pageInfo?: {
    [field: string]: unknown;
  };
  isPageAnnotation?: boolean;
  positionX?: number;
  positionY?: number;
  screenWidth?: number;
  screenHeight?: number;
  screenScrollHeight?: number;
  screenScrollTop?: number;
  /** Place in the document. Further fields are stored. */
  location?: {
    id: string;
    locationName?: string;
    [field: string]: unknown;
  };
  /** Passage or point that the annotation refers to. `null` for none. */
  anchor?: TextAnchor | QuoteAnchor | PointAnchor | null;
  /** Element of the document that the annotation refers to. */
  targetElement?: TargetElement | null;
  priority?: unknown;
  assignedTo?: User | null;
  /** Whether the passage of the `anchor` is there: `attached`; `moved`, if only a similar one was found or one in other surroundings; `detached`, if it is gone. */
  anchorState?: "attached" | "moved" | "detached";
  /** The passage as it is now; empty if it is detached. Shortened as `quote.exact` is. */
  anchorText?: string;
  /** The context as it was sent, with `accessFields` if it has `access`. */
  context?: {
    [field: string]: unknown;
  } | null;
  status: {
    id: string;
    name?: string;
    type?: "default" | "ongoing" | "terminal";
    color?: string;
    lightColor?: string;
    svg?: string;
    iconUrl?: string;
  };
  /** Author of the first comment. Missing after that user's data was deleted. */
  from?: {
    userId: string;
    name?: string;
    /** Email address; empty if there is none. White space around it is removed. */
    email?: string;
  };
  agent?: {
    /** `external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service. */
    agentSource?: string;
    agentId?: string;
    agentName?: string;
    executionId?: string;
    /** Page that the agent has checked. */
    url?: string;
    reason?: {
      title?: string;
      description?: string;
      severity?: "critical" | "high" | "medium" | "low" | "info";
      findingId?: string;
      findingType?: "text" | "pin" | "page";
      issueType?: string;
      /** Percent. */
      confidence?: number;
      suggestion?: string;
      suggestedFix?: string;
      htmlSnippet?: string;
      htmlSelector?: string;
      source?: "instructions" | "knowledge";
      knowledgeSection?: string;
    };
    agentType?: "built-in" | "custom" | "external";
  };
  /** Suggested change. Further fields are stored. */
  suggestion?: {
    status?: "pending" | "accepted" | "rejected";
    [field: string]: unknown;
  };
  statusUpdatedByUserId?: string;
  resolvedByUserId?: string;
  /** Users who can read the annotation. Backends always can. */
  visibilityConfig: {
    type: "public" | "organizationPrivate" | "restricted";
    organizationId?: string;
    organizationIds?: Array<string>;
    /** Always with the author. */
    userIds?: Array<string>;
  };
  metadata: {
    apiKey: string;
    documentId: string;
    organizationId: string;
  };
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Time of the last change of the annotation or its comments, in milliseconds since the epoch. */
  lastUpdated: number;
  /** Fixed number that counts up in the document. */
  annotationNumber: number;
  /** Place in the list, from 1 and across its pages. */
  annotationIndex: number;
  sourceType: "rest-api" | "agent";
  /** Always false: the API adds no drafts. */
  hasDraftComments: boolean;
  resolvedByUser?: {
    userId: string;
  };
  /** Oldest first. */
  comments: Array<Comment>;
}

/** File of a comment. */
export interface CommentAttachment {
  attachmentId?: number;
  /** A file of `/v2/files/add`, which then belongs to the comment. */
  fileId?: string;
  /** Address of the file. With `fileId` it is signed when the comment is read. */
  url?: string;
  /** Time until which a signed URL works. Read the record again before it. Ignored when it is sent. */
  urlExpiresAt?: number;
  /** For example `image/png`. */
  mimeType?: string;
  name?: string;
  /** File type, for example `png`. */
  type?: string;
  /** Size in bytes. */
  size?: number;
  [field: string]: unknown;
}

export interface CommentResult {
  success: boolean;
  message: string;
  /** Present if the user may read the record, but not make this change. */
  reason?: "access_denied";
  /** Role that the change needs. */
  requiredRole?: "viewer" | "commenter" | "editor" | "moderator";
  id: number;
}

export interface Deletion {
  jobId: string;
  /** Empty after AUDIT_RETENTION_DAYS. */
  userIds: Array<string>;
  /** Null for all organizations of the workspace. */
  organizationIds: Array<string> | null;
  /** Null after AUDIT_RETENTION_DAYS. */
  requestedBy: {
    /** `command_line` also stands for what a start creates. */
    type: "token" | "session" | "user" | "command_line";
    /** ID of the auth token, the session or the user. Null if the data of the user were deleted. */
    id: string | null;
    /** Name of the auth token, address of the session's owner, or ID of the user. */
    name: string | null;
  } | null;
  /** Milliseconds since the epoch. */
  acceptedAt: number;
  /** Null while the job runs. */
  completedAt: number | null;
  /** Number of records that were deleted. */
  deleted: number;
  /** Number of records of others whose mentions of the users were removed. */
  stripped: number;
}

export interface DeletionReceipt {
  jobId: string;
  workspaceId: string;
  workspaceName: string;
  userIds: Array<string>;
  /** Null for all organizations of the workspace. */
  organizationIds: Array<string> | null;
  requestedBy: {
    /** `command_line` also stands for what a start creates. */
    type: "token" | "session" | "user" | "command_line";
    /** ID of the auth token, the session or the user. Null if the data of the user were deleted. */
    id: string | null;
    /** Name of the auth token, address of the session's owner, or ID of the user. */
    name: string | null;
  } | null;
  /** ISO 8601 with milliseconds, in UTC. */
  acceptedAt: string;
  /** ISO 8601 with milliseconds, in UTC. */
  completedAt: string;
  /** Every kind of data that was searched, with the records of all organizations. */
  kinds: Array<{
    kind: string;
    deleted: number;
    stripped: number;
  }>;
  /** Number of all entries. */
  entriesCount: number;
  /** The first 10,000 organizations and kinds with changes, by organization and kind. */
  entries: Array<{
    organizationId: string;
    kind: string;
    deleted: number;
    stripped: number;
  }>;
}

export interface DeletionReceiptEntry {
  /** Empty for data that belongs to no organization. */
  organizationId: string;
  kind: string;
  deleted: number;
  stripped: number;
}

export interface DeletionStatus {
  isDeleteCompleted: boolean;
  tasksLeft: number;
  /** Milliseconds since the epoch. */
  lastTaskCompletedTime: number | null;
  progress?: {
    stage: "finding" | "purging";
    /** Organizations that this stage has searched. */
    organizationsDone: number;
    /** Organizations to search. */
    organizationsCount: number;
  };
  receipt?: Array<DeletionReceiptEntry>;
}

/** Further fields are the metadata as sent. */
export interface Document {
  id: string;
  /** Whether it or its organization is disabled. */
  disabled: boolean;
  /** Time of the newest activity, annotation, notification, recording or change of a collaborative document, or, without any, of the creation of the document, in milliseconds since the epoch. */
  lastActivity: number;
  documentName: string;
  accessType: "public" | "organizationPrivate" | "restricted";
  /** The folder that it is in. Missing outside of any folder. */
  folderId?: string;
  [field: string]: unknown;
}

export interface DocumentStatistics {
  id: string;
  /** Empty until it is set. */
  documentName: string;
  /** Missing outside of any folder. */
  folderId?: string;
  disabled: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  annotations: number;
  /** Users of the document. */
  users: number;
  /** Stored bytes of its collaborative documents: their states, updates that are not merged, versions. */
  contentBytes: number;
  lastActivity: number | null;
}

export interface EditorSchema {
  name: string;
  version: number;
  nodes: Array<string>;
  marks: Array<string>;
}

export interface EmailConfig {
  useEmailService: boolean;
  emailServiceConfig: {
    /** Secret API key of the provider. Empty if none is set. */
    apiKey: string;
    /** Provider. `default` is the mail server of the service. */
    type: "default" | "sendgrid" | "postmark" | "resend" | "mailgun" | "ses" | "smtp";
    /** Sender address. Empty if none is set. */
    fromEmail: string;
    /** Sender display name. */
    fromCompany: string;
    /** Stored for the caller and not used. */
    commentTemplateId: string;
    /** Stored for the caller and not used. */
    tagTemplateId: string;
    /** Booleans by name, at most 100. */
    triggers?: {
      [id: string]: boolean;
    };
  };
}

export interface Event {
  /** Kind of the event. */
  event: "activity.add" | "activity.update" | "activity.delete" | "comment_annotation.add" | "comment_annotation.update" | "comment_annotation.status_change" | "comment_annotation.assign" | "comment_annotation.priority_change" | "comment_annotation.suggestion_accept" | "comment_annotation.suggestion_reject" | "comment_annotation.delete" | "comment_annotation.read" | "comment.add" | "comment.update" | "comment.delete" | "comment.reaction_add" | "comment.reaction_delete" | "recorder.done" | "recorder.update" | "recorder.delete" | "notification.add" | "notification.update" | "notification.delete" | "live_state.update" | "presence.update" | "presence.delete" | "crdt.update_data" | "crdt.versions_update" | "crdt.delete" | "document.update" | "document.delete" | "user.update" | "user.delete" | "organization.update" | "user_data.deleted" | "access.update";
  organizationId: string;
  documentId?: string;
  /** Time of the change, in milliseconds since the epoch. */
  timestamp: number;
  /** IDs of what has changed. */
  subject: {
    [field: string]: unknown;
  };
  /** Cursor after this event. */
  cursor: string;
  /** The record as its `get` returns it to the caller; absent from a deletion. */
  record?: {
    [field: string]: unknown;
  };
}

export interface Folder {
  folderId: string;
  folderName: string;
  organizationId: string;
  /** `root` at the top level. */
  parentFolderId: string;
  apiKey: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch. */
  lastUpdated: number;
  /** IDs of its ancestors, outermost first, starting with `root`. */
  ancestors: Array<string>;
  accessType: "public" | "organizationPrivate" | "restricted";
  /** Whether it has no access type of its own. */
  inheritAccessFromParent: boolean;
  /** The folders directly in it, of the same shape. Missing if there are none, and at the last level. */
  subFolders?: Array<{
    [field: string]: unknown;
  }>;
}

export interface FolderResult {
  success: boolean;
  message: string;
  /** ID of the folder. */
  id: string;
  code?: "already-exists" | "not-found" | "failed-precondition";
}

export interface Health {
  webhooks: {
    endpoints: number;
    failing: number;
    disabled: number;
  };
  /** Queued in the last 24 hours. */
  mails: {
    refused: number;
    deferred: number;
  };
  /** In the request log, of the last 24 hours. */
  requests: {
    requests: number;
    errors: number;
    /** 95th percentile of the durations; null without requests. */
    p95Ms: number | null;
  };
  /** The disk of `DATA_DIR`. */
  disk: {
    freeBytes: number;
    totalBytes: number;
  };
  version: string;
  /** Milliseconds since the epoch. Null if the audit log has no backup. */
  lastBackupAt: number | null;
}

export interface IdentifiedResult {
  success: boolean;
  message: string;
  /** Key of the record, also if it failed. */
  id: string;
}

export interface ItemResult {
  success: boolean;
  message: string;
}

export interface LiveState {
  liveStateDataId: string;
  /** Any JSON object. */
  data: {
    [field: string]: unknown;
  };
  /** Time of the last broadcast, in milliseconds since the epoch. */
  lastUpdated: number;
}

export interface LoggedRequest {
  /** The same as in the service's log. */
  requestId: string;
  /** Time of the response, in milliseconds since the epoch. */
  timestamp: number;
  /** Path of the operation, or the path that is none. */
  operation: string;
  /** `ITEMS_FAILED` is a successful response in which every item failed. */
  status: "OK" | "ITEMS_FAILED" | "INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "PERMISSION_DENIED" | "NOT_FOUND" | "ALREADY_EXISTS" | "RESOURCE_EXHAUSTED" | "INTERNAL" | "UNAVAILABLE";
  /** Reason of the error; null for a success. */
  reason: string | null;
  /** What the caller was told about the error, or about the first item that failed. */
  message: string | null;
  httpStatus: number;
  durationMs: number;
  /** Organization that the request names. */
  organizationId: string | null;
  /** ID of the auth token, which may be revoked. Null for a user token and for an unknown auth token. */
  authTokenId: string | null;
  /** IP address of the client. */
  clientAddress: string;
  /** Limit that the caller has reached. */
  limit?: string;
  /** User who has reached the limit. The log names no other users. */
  userId?: string;
}

export interface Mail {
  /** The `mailId` of `/v2/workspace/outbox/mails/get`. */
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  to: string;
  subject: string;
  from: string;
  text: string;
  html: string;
}

export interface MailDelivery {
  /** The same as in the service's log and, for a mail kept there, in the outbox. */
  mailId: string;
  /** `notification`: about comments in a document of an organization. The others belong to no organization. `test`: a test mail. `login_link`: a link with which the owner of the workspace signs in. `webhook_disabled`: tells the owner that a webhook endpoint was disabled. */
  kind: "notification" | "test" | "login_link" | "webhook_disabled";
  /** Null unless it is a notification. */
  organizationId: string | null;
  /** Null unless it is a notification. */
  documentId: string | null;
  /** The annotations that the mail is about. */
  annotationIds: Array<string>;
  /** The recipient. Null unless it is a notification. */
  userId: string | null;
  /** Email address of the recipient when the mail was queued. */
  address: string;
  /** Types of the events that the mail is about. */
  triggers: Array<string>;
  /** `queued`: waits for its first attempt. `deferred`: an attempt failed, and another one follows. `sent`: the mail server accepted it, or it is in the outbox. `rejected`: the mail server refused it for good, or a test mail at its only attempt. `uncertain`: the connection or the process ended during an attempt, and it is not repeated. `expired`: given up after three days of attempts, a login link after 15 minutes. `canceled`: it was not to be sent any more. */
  state: "queued" | "deferred" | "sent" | "rejected" | "uncertain" | "expired" | "canceled";
  /** The mail server's response, without addresses, such as `550 5.1.1 mailbox unavailable`, or a sentence that says why the mail was not sent. A response to the content is shortened to its codes. Null if there is no more to say. */
  reason: string | null;
  /** Number of attempts that have ended. */
  attempts: number;
  /** Time at which the mail was queued, in milliseconds since the epoch. */
  createdAt: number;
  /** Time of the last change of its state, in milliseconds since the epoch. */
  updatedAt: number;
}

export interface MailSummary {
  /** The `mailId` of `/v2/workspace/outbox/mails/get`. */
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  to: string;
  subject: string;
}

export interface NewEditorSchema {
  name: string;
  version: number;
  nodes: Array<string>;
  marks: Array<string>;
}

export interface NewFile {
  fileId: string;
  upload: {
    /** Signed URL, which accepts the bytes once. */
    url: string;
    method: "PUT";
    /** Headers that the request must have. */
    headers: {
      [id: string]: string;
    };
    /** Time until which it can begin. */
    expiresAt: number;
  };
}

export interface Notification {
  id: string;
  notificationSource: string;
  actionUser: User;
  /** Main message with {variable} placeholders. */
  displayHeadlineMessageTemplate?: string | null;
  /** Values of the placeholders. */
  displayHeadlineMessageTemplateData?: {
    [field: string]: unknown;
  } | null;
  /** Key by which pages find their own text for the template, such as a translation. */
  messageKey?: string | null;
  /** Secondary message. */
  displayBodyMessage?: string | null;
  /** Secondary message with {variable} placeholders. */
  displayBodyMessageTemplate?: string | null;
  /** Values of the placeholders. */
  displayBodyMessageTemplateData?: {
    [field: string]: unknown;
  } | null;
  notificationSourceData?: NotificationSourceData | null;
  location?: {
    id: string;
    locationName?: string;
    [field: string]: unknown;
  } | null;
  /** The context as it was sent, with `accessFields` if it has `access`. */
  context?: {
    [field: string]: unknown;
  } | null;
  metadata: {
    apiKey: string;
    documentId: string;
    organizationId: string;
    locationId?: string;
    [field: string]: unknown;
  };
  /** Users to notify, by user key. */
  notifyUsers: {
    [id: string]: true;
  };
  /** Users to notify, by user ID. */
  notifyUsersByUserId: {
    [id: string]: true;
  };
  /** Milliseconds since the epoch: the time of the request, or the given time. */
  timestamp: number;
  /** Times at which users read it, in milliseconds since the epoch: the first 100. Absent if `userId` is given. */
  readAtByUserId?: {
    [id: string]: number;
  };
  /** Times at which these users archived it, in milliseconds since the epoch. Absent if none has. */
  archivedAtByUserId?: {
    [id: string]: number;
  };
  /** Whether the user of `userId` has read it. */
  isRead?: boolean;
  /** Time at which the user of `userId` read it, in milliseconds since the epoch. */
  readAt?: number;
  /** Time at which the user of `userId` archived it, in milliseconds since the epoch. */
  archivedAt?: number;
}

export interface NotificationConfig {
  /** Whether comments notify users at all. */
  useNotificationService: boolean;
  notificationServiceConfig: {
    triggers: {
      /** Comment events that notify. */
      comment: {
        newlyAdded: boolean;
        added: boolean;
        /** For users whom an update of a comment tags. */
        updated: boolean;
        statusChanged: boolean;
        assigned: boolean;
        priorityChanged: boolean;
      };
    };
    /** How long a notification is delayed, in which reading the annotation drops it. */
    delayConfig: {
      isEnabled: boolean;
      /** At most 180 days. */
      delaySeconds: number;
    };
    /** Windows in which a user's notifications are collected, in each document and in all of them. */
    batchConfig: {
      document: {
        isEnabled: boolean;
        /** At most 7 days. */
        batchWindowSeconds: number;
        /** Number that ends a window early. */
        maxActivities: number;
      };
      user: {
        isEnabled: boolean;
        /** At most 7 days. */
        batchWindowSeconds: number;
        /** Number that ends a window early. */
        maxActivities: number;
      };
    };
  };
}

export interface NotificationExplanation {
  userId: string;
  inbox: {
    /** The rule that decided. */
    rule: "delivered" | "hidden" | "not-found" | "delayed" | "not-a-recipient" | "acting-user" | "not-in-organization" | "preference-mine" | "preference-none" | "changed-since" | "read" | "archived" | "removed" | "no-mail-event" | "email-service-off" | "trigger-off" | "unsubscribed" | "no-address" | "organization-blocked" | "document-disabled" | "unrecorded" | "not-permitted" | "queued" | "deferred" | "sent" | "rejected" | "uncertain" | "expired" | "canceled";
    /** What it means, for operators. */
    explanation: string;
  };
  email: {
    /** The rule that decided. */
    rule: "delivered" | "hidden" | "not-found" | "delayed" | "not-a-recipient" | "acting-user" | "not-in-organization" | "preference-mine" | "preference-none" | "changed-since" | "read" | "archived" | "removed" | "no-mail-event" | "email-service-off" | "trigger-off" | "unsubscribed" | "no-address" | "organization-blocked" | "document-disabled" | "unrecorded" | "not-permitted" | "queued" | "deferred" | "sent" | "rejected" | "uncertain" | "expired" | "canceled";
    /** What it means, for operators. */
    explanation: string;
  };
  /** Time at which the user read it, in milliseconds since the epoch. */
  readAt?: number;
  /** Channels that are not set have the value for the organization, or else `ALL`. */
  preferences: Array<{
    /** Missing for the preference for the organization. */
    documentId?: string;
    inbox?: "ALL" | "MINE" | "NONE";
    email?: "ALL" | "MINE" | "NONE";
    slack?: "ALL" | "MINE" | "NONE";
  }>;
}

export interface NotificationPreferences {
  config: {
    inbox: "ALL" | "MINE" | "NONE";
    email: "ALL" | "MINE" | "NONE";
    slack?: "ALL" | "MINE" | "NONE";
  };
  metadata: {
    organizationId: string;
    apiKey: string;
    documentId?: string;
    userId: string;
  };
}

/** Fields in notifications whose `notificationSource` is `comment`. Other notifications have what was sent. */
export interface NotificationSourceData {
  /** For example `comment.add`. */
  actionType?: string;
  annotationId?: string;
  /** Number of the annotation in its document. A notification that it was added has none. */
  annotationNumber?: number;
  commentId?: number;
  commentText?: string;
  /** Changes by field name. */
  changes?: {
    [field: string]: unknown;
  };
  /** Events of a digest, oldest first. */
  activities?: Array<{
    /** For example `comment.add`. */
    actionType?: string;
    annotationId?: string;
    /** Number of the annotation in its document. A notification that it was added has none. */
    annotationNumber?: number;
    commentId?: number;
    updateId?: string;
    actionUser?: User;
  }>;
  [field: string]: unknown;
}

/** Further fields are the metadata as sent. */
export interface Organization {
  id: string;
  disabled: boolean;
  organizationName: string;
  [field: string]: unknown;
}

export interface OrganizationNotification {
  id: string;
  notificationSource: string;
  actionUser: User;
  /** Main message with {variable} placeholders. */
  displayHeadlineMessageTemplate?: string | null;
  /** Values of the placeholders. */
  displayHeadlineMessageTemplateData?: {
    [field: string]: unknown;
  } | null;
  /** Key by which pages find their own text for the template, such as a translation. */
  messageKey?: string | null;
  /** Secondary message. */
  displayBodyMessage?: string | null;
  /** Secondary message with {variable} placeholders. */
  displayBodyMessageTemplate?: string | null;
  /** Values of the placeholders. */
  displayBodyMessageTemplateData?: {
    [field: string]: unknown;
  } | null;
  notificationSourceData?: NotificationSourceData | null;
  location?: {
    id: string;
    locationName?: string;
    [field: string]: unknown;
  } | null;
  /** The context as it was sent, with `accessFields` if it has `access`. */
  context?: {
    [field: string]: unknown;
  } | null;
  metadata: {
    apiKey: string;
    documentId: string;
    organizationId: string;
    locationId?: string;
    [field: string]: unknown;
  };
  /** Users to notify, by user key. */
  notifyUsers: {
    [id: string]: true;
  };
  /** Users to notify, by user ID. */
  notifyUsersByUserId: {
    [id: string]: true;
  };
  /** Milliseconds since the epoch: the time of the request, or the given time. */
  timestamp: number;
  recipients: Array<{
    user: User;
    /** Milliseconds since the epoch. */
    readAt?: number;
  }>;
  recipientCount: number;
  readCount: number;
}

export interface OrganizationPresence {
  userId: string;
  name?: string;
  email?: string;
  status: "online" | "away" | "offline";
  /** Time of the last renewal, by a heartbeat or a connection, in milliseconds since the epoch. */
  lastActive: number;
  documentId: string;
}

export interface OrganizationStatistics {
  id: string;
  /** Empty until it is set. */
  organizationName: string;
  disabled: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  users: number;
  documents: number;
  lastActivityAt: number | null;
}

export interface Overview {
  activitiesPerDay: Array<{
    /** YYYY-MM-DD */
    day: string;
    /** Milliseconds since the epoch. */
    startsAt: number;
    total: number;
    /** Counts above zero. */
    featureTypes: {
      [id: string]: number;
    };
  }>;
  activitiesPerHour?: Array<{
    /** Milliseconds since the epoch. */
    startsAt: number;
    total: number;
    /** Counts above zero. */
    featureTypes: {
      [id: string]: number;
    };
  }>;
  last24Hours: number;
  previous24Hours: number;
  organizations: number;
  documents: number;
  users: number;
  activeUsers: number;
  queuedJobs: number;
  databaseSizeBytes: number;
  health: Health;
  setup: {
    /** Whether there is a mail server: `SMTP_URL` is set, or the workspace has a provider of its own. */
    hasSmtp: boolean;
    /** Whether the workspace has an owner who can sign in. */
    hasOwner: boolean;
    isActivityServiceEnabled: boolean;
    isEmailServiceEnabled: boolean;
    hasAllowedDomains: boolean;
    /** Whether the workspace has any activity. */
    hasActivities: boolean;
    publicUrl: string | null;
  };
}

export interface Permission {
  accessRole?: "viewer" | "commenter" | "editor" | "moderator";
  accessType?: "public" | "organizationPrivate" | "restricted";
  /** End of the permission by which the user has access, in seconds since the epoch. */
  expiresAt?: number;
  /** Says why the user has no access. */
  error?: string;
  errorCode?: "permission_denied" | "does_not_exist";
}

/** A point on an element, such as an image. */
export interface PointAnchor {
  /** CSS selector of the element in the page. */
  selector: string;
  /** Part of the width of the element. */
  x: number;
  /** Part of its height. */
  y: number;
}

export interface Presence {
  userId: string;
  name?: string;
  email?: string;
  status: "online" | "away" | "offline";
  /** Time of the last renewal, by a heartbeat or a connection, in milliseconds since the epoch. */
  lastActive: number;
}

/** A passage, as TextQuoteSelector of the W3C Web Annotation Data Model. */
export interface Quote {
  /** The passage; empty for a place between characters. Of a longer one, its first 1,000 UTF-16 units, `…`, and its last 999. */
  exact: string;
  /** Text before it, by which repeated passages are told apart. */
  prefix?: string;
  /** Text after it. */
  suffix?: string;
}

/** A passage of a page without a collaborative document. */
export interface QuoteAnchor {
  /** CSS selector of the element in the page. */
  selector: string;
  /** A passage, as TextQuoteSelector of the W3C Web Annotation Data Model. */
  quote: Quote;
}

export interface RecordResult {
  success: boolean;
  message: string;
  /** Key of the record, also if it failed. */
  id: string;
  /** Why the item failed. */
  code?: "not-found" | "internal";
}

export interface Recording {
  annotationId: string;
  type: "recorder";
  /** The user who made the recording. */
  from?: {
    userId: string;
    name?: string;
    /** Email address; empty if there is none. White space around it is removed. */
    email?: string;
    [field: string]: unknown;
  };
  /** For example `screen`. */
  recordingType?: string;
  /** For example `floating`. */
  mode?: string;
  recordedTime?: {
    /** In a unit of your choice; stored as sent. */
    duration?: number;
    /** Clock format, for example `00:01:30`. */
    display?: string;
  };
  displayName?: string;
  attachments?: Array<{
    attachmentId?: number;
    /** A file of `/v2/files/add`, which then belongs to the recording. */
    fileId?: string;
    /** For example `video/mp4`. */
    mimeType?: string;
    name?: string;
    /** File type, for example `mp4`. */
    type?: string;
    /** Size in bytes. */
    size?: number;
    /** Time until which a signed URL works. Read the record again before it. Ignored when it is sent. */
    urlExpiresAt?: number;
    /** Address of the file, required without `fileId`. With it, it is signed when the recording is read. */
    url: string;
  }>;
  /** Starts at 1 and grows by one with each change. */
  latestVersion: number;
  metadata: {
    apiKey: string;
    documentId: string;
    organizationId: string;
  };
}

export interface Retention {
  /** `ACTIVITY_RETENTION_DAYS`. Null: until they are deleted. */
  activityDays: number | null;
  /** `NOTIFICATION_RETENTION_DAYS`. Null: until they are deleted. */
  notificationDays: number | null;
  mailDays: number;
  requestDays: number;
  auditDays: number;
  eventHours: number;
}

export interface Session {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch. */
  lastUsedAt: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** User-Agent header of the browser, at most 256 characters. */
  userAgent: string;
  /** Whether this is the session of the request. */
  isCurrent: boolean;
}

/** Element of the document that an annotation refers to. */
export interface TargetElement {
  /** ID of the element in the page. */
  elementId?: string;
  /** Text in the element. */
  targetText?: string;
  /** Number of the occurrence of the text, from 1. */
  occurrence?: number;
  /** Whether the target is all text of the element. */
  selectAllContent?: boolean;
  [field: string]: unknown;
}

/** A passage of a collaborative document. */
export interface TextAnchor {
  editorId: string;
  /** Base64 of `Y.encodeRelativePosition`. */
  start: string;
  /** Base64 of `Y.encodeRelativePosition`. */
  end: string;
  /** A passage, as TextQuoteSelector of the W3C Web Annotation Data Model. */
  quote: Quote;
}

export interface TokenIssuerConfig {
  /** Whether tokens of the issuer are accepted. */
  isEnabled: boolean;
  /** The claim `iss` of the tokens, compared character by character. */
  issuer: string;
  /** URL of the issuer's signing keys, a JSON Web Key Set. */
  jwksUrl: string;
  /** Who the tokens must be for. */
  audience: string;
  /** Claim that has the audience. `azp` suits issuers whose tokens have no `aud`. */
  audienceClaim: "aud" | "azp";
  /** The role on the organizations, by the role of the issuer. The highest of several counts. */
  roles: {
    [id: string]: "viewer" | "commenter" | "editor" | "moderator";
  };
  /** The role of users without any of `roles`. */
  defaultRole: "viewer" | "commenter" | "editor" | "moderator";
  /** Names of the claims to read. A claim in another one has a path, such as `app_metadata.organization`. A name that is itself a claim precedes, such as `https://acme.example/org`. A claim with an empty name is not read. */
  claims: {
    /** The ID of the user. `sub` before the first update. */
    userId: string;
    /** The name of the user. `name` before the first update. */
    name: string;
    /** The email address of the user. `email` before the first update. */
    email: string;
    /** The URL of the user's photo. `picture` before the first update. */
    photoUrl: string;
    /** The ID of an organization, or a list of IDs. Without it, tokens grant nothing. */
    organizations: string;
    /** A role of the issuer, or a list of roles, which `roles` translates. */
    roles: string;
  };
}

export interface User {
  userId: string;
  name?: string;
  /** Email address; empty if there is none. White space around it is removed. */
  email?: string;
  [field: string]: unknown;
}

export interface UserGroup {
  groupId: string;
  /** Empty until it is set. */
  groupName: string;
  /** Missing for users. */
  userIds?: Array<string>;
}

/** Further fields are the metadata as sent. */
export interface UserRecord {
  userId: string;
  name?: string;
  email?: string;
  photoUrl?: string;
  /** A file of `/v2/files/add`, which then belongs to the user. `photoUrl` is signed when it is read. */
  photoFileId?: string;
  /** First letter of the name, unless another one is sent. */
  initial?: string;
  /** Role at the level of the request, if there is one. */
  accessRole?: "viewer" | "commenter" | "editor" | "moderator";
  /** Time until which a signed URL works. Read the record again before it. Ignored when it is sent. */
  photoUrlExpiresAt?: number;
  [field: string]: unknown;
}

export interface UserStatistics {
  userId: string;
  name?: string;
  email?: string;
  accessRole?: "viewer" | "commenter" | "editor" | "moderator";
  /** Whether it is a user of the organization itself. */
  isInOrganization: boolean;
  documents: number;
  lastActivityAt: number | null;
}

export interface UserWithDocuments {
  userId: string;
  name?: string;
  email?: string;
  photoUrl?: string;
  /** A file of `/v2/files/add`, which then belongs to the user. `photoUrl` is signed when it is read. */
  photoFileId?: string;
  /** First letter of the name, unless another one is sent. */
  initial?: string;
  /** Role at the level of the request, if there is one. */
  accessRole?: "viewer" | "commenter" | "editor" | "moderator";
  /** Time until which a signed URL works. Read the record again before it. Ignored when it is sent. */
  photoUrlExpiresAt?: number;
  documents: Array<{
    documentId: string;
    documentName: string;
    /** Role of the permission on the document; absent without one. */
    accessRole?: "viewer" | "commenter" | "editor" | "moderator";
    /** End of that permission, in seconds since the epoch. */
    expiresAt?: number;
    /** Whether the user is involved. Present with `includeInvolvedDocuments`. */
    isInvolved?: boolean;
  }>;
}

export interface WebhookAttempt {
  /** ISO 8601. */
  attemptedAt: string;
  latencyMs: number;
  /** Null if there was no response. */
  httpStatus: number | null;
  /** The first 2 KiB of the response. */
  response: string;
  /** Why there was no response. */
  error: string | null;
}

export interface WebhookConfig {
  useWebhookService: boolean;
  webhookServiceConfig: {
    /** Sent as `Authorization: Basic …`. Empty if none is set. */
    authToken: string;
    /** Receives events as they happen. Empty if none is set. */
    rawNotificationUrl: string;
    /** Receives events with the preferences of their users and `accessDeniedUsers`. Empty if none is set. */
    processedNotificationUrl: string;
    /** Whether bodies are sent as base64 in `encodedPayload`. */
    encodeData?: boolean;
    /** Whether bodies are encrypted. Requires `publicKey`. */
    encryptData?: boolean;
    /** RSA key that encrypts bodies: base64 of its SPKI or PKCS#1 form, without PEM lines. */
    publicKey?: string;
    /** Whether bodies omit comment texts, names, addresses and attachments. */
    enableDataProtection?: boolean;
    /** Switches by feature, such as `{ comment: { added: true } }`, or by flat names of events, such as `comment.add`, at most 100. */
    triggers?: {
      [id: string]: boolean | {
        [id: string]: boolean;
      };
    };
  };
}

export interface WebhookDelivery {
  /** The `webhook-id` of the message. */
  deliveryId: string;
  event: string;
  organizationId: string;
  documentId: string | null;
  /** `canceled` if the endpoint was disabled, or advanced webhooks were turned off, first. */
  status: "pending" | "delivered" | "failed" | "canceled";
  /** ISO 8601. */
  createdAt: string;
  /** Null if no attempt follows. */
  nextAttemptAt: string | null;
  /** The last attempts, oldest first. */
  attempts: Array<WebhookAttempt>;
}

export interface WebhookDeliveryFigures {
  endpointId: string;
  delivered: number;
  failed: number;
  pending: number;
  /** First of the attempts that have all failed since, ISO 8601. Null if the last succeeded. */
  failingSince: string | null;
  /** ISO 8601. Null if none has failed. */
  lastFailedAt: string | null;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  description: string | null;
  filterTypes: Array<string> | null;
  channels: Array<string> | null;
  disabled: boolean;
  rateLimit: number | null;
  uid: string | null;
  metadata: {
    [id: string]: string;
  } | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface Workspace {
  id: string;
  name: string;
  apiKey: string;
  ownerEmail: string | null;
}

export interface WorkspaceConfig {
  ownerEmail: string | null;
  planInfo: {
    type: "self-hosted";
  };
  defaultDocumentAccessType: "public" | "organizationPrivate" | "restricted";
  isPrivateCommentsEnabled: boolean;
  requireJwtToken: boolean;
  requireAutoOrgUser: boolean;
  isContextEnabled: boolean;
  showUserEmails: boolean;
  automaticVersionMinutes: number;
  automaticVersionDays: number;
}

/** Types of the records of events, by kind. Other kinds have none. */
export interface EventRecords {
  "activity.add": Activity;
  "activity.update": Activity;
  "comment_annotation.add": CommentAnnotation;
  "comment_annotation.update": CommentAnnotation;
  "comment_annotation.status_change": CommentAnnotation;
  "comment_annotation.assign": CommentAnnotation;
  "comment_annotation.priority_change": CommentAnnotation;
  "comment_annotation.suggestion_accept": CommentAnnotation;
  "comment_annotation.suggestion_reject": CommentAnnotation;
  "comment.add": Comment;
  "comment.update": Comment;
  "comment.reaction_add": Comment;
  "comment.reaction_delete": Comment;
  "recorder.done": Recording;
  "recorder.update": Recording;
  "notification.add": Notification;
  "notification.update": Notification;
  "live_state.update": LiveState;
  "presence.update": Presence;
  "crdt.update_data": CollaborativeDocument;
  "document.update": Document;
  "user.update": UserRecord;
  "organization.update": Organization;
}

/** Types of `data` in the request and the response of each operation, by path. */
export interface Api {
  /** Generate a token for a user, with the credentials in the body */
  "/v1/auth/token/get": {
    request: {
      apiKey: string;
      authToken: string;
      userId: string;
      userProperties?: {
        organizationId: string;
        isAdmin?: boolean;
        /** Email address; empty if there is none. White space around it is removed. */
        email?: string;
      } | undefined;
    };
    response: {
      token: string;
    };
  };
  /** Read the newest notifications */
  "/v1/notifications/get": {
    request: {
      organizationId?: string | undefined;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId?: string | undefined;
      notificationIds?: Array<string> | undefined;
    };
    response: Array<Notification>;
  };
  /** Update notifications, or mark them as read */
  "/v1/notifications/update": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId?: string | undefined;
      notifications: Array<{
        id: string;
        actionUser?: User;
        /** Main message with {variable} placeholders. */
        displayHeadlineMessageTemplate?: string | null;
        /** Values of the placeholders. */
        displayHeadlineMessageTemplateData?: object | null;
        /** Key by which pages find their own text for the template, such as a translation. */
        messageKey?: string | null;
        /** Secondary message. */
        displayBodyMessage?: string | null;
        /** Secondary message with {variable} placeholders. */
        displayBodyMessageTemplate?: string | null;
        /** Values of the placeholders. */
        displayBodyMessageTemplateData?: object | null;
        notificationSourceData?: object | null;
        location?: {
          id: string;
          locationName?: string;
          [field: string]: unknown;
        } | null;
        context?: {
          /** Strings or numbers by field. The number `7` and the string `7` are equal. */
          access?: {
            [id: string]: string | number;
          };
          accessFields?: never;
          [field: string]: unknown;
        } | null;
        /** Further fields of the notification's metadata. */
        metadata?: object | null;
        /** Users to notify. */
        notifyUsers?: Array<User>;
        readByUserIds?: Array<string>;
        /** Whether read notifications stay in the inbox. Has no effect without `readByUserIds`. */
        persistReadForUsers?: boolean;
        /** Sets it for this notification alone. */
        verifyUserPermissions?: boolean;
      }> | {
        id: string;
        actionUser?: User;
        /** Main message with {variable} placeholders. */
        displayHeadlineMessageTemplate?: string | null;
        /** Values of the placeholders. */
        displayHeadlineMessageTemplateData?: object | null;
        /** Key by which pages find their own text for the template, such as a translation. */
        messageKey?: string | null;
        /** Secondary message. */
        displayBodyMessage?: string | null;
        /** Secondary message with {variable} placeholders. */
        displayBodyMessageTemplate?: string | null;
        /** Values of the placeholders. */
        displayBodyMessageTemplateData?: object | null;
        notificationSourceData?: object | null;
        location?: {
          id: string;
          locationName?: string;
          [field: string]: unknown;
        } | null;
        context?: {
          /** Strings or numbers by field. The number `7` and the string `7` are equal. */
          access?: {
            [id: string]: string | number;
          };
          accessFields?: never;
          [field: string]: unknown;
        } | null;
        /** Further fields of the notification's metadata. */
        metadata?: object | null;
        /** Users to notify. */
        notifyUsers?: Array<User>;
        readByUserIds?: Array<string>;
        /** Whether read notifications stay in the inbox. Has no effect without `readByUserIds`. */
        persistReadForUsers?: boolean;
        /** Sets it for this notification alone. */
        verifyUserPermissions?: boolean;
      };
      /** Whether to ignore users who cannot read the document. */
      verifyUserPermissions?: boolean | undefined;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Update notifications, or mark them as read */
  "/v2/notifications/update": Api["/v1/notifications/update"];
  /** Delete all data at a location of a document */
  "/v1/organizations/documents/locations/data/delete": {
    request: {
      apiKey: string;
      authToken: string;
      organizationId?: string | undefined;
      documentId: string;
      /** Location, by its `id`. Further fields have no effect. */
      location: {
        id: string;
        [field: string]: unknown;
      };
    };
    response: null;
  };
  /** Replace a location of a document */
  "/v1/organizations/documents/locations/update": {
    request: {
      apiKey: string;
      authToken: string;
      organizationId?: string | undefined;
      documentId: string;
      migrate: {
        /** Location, by its `id`. Further fields have no effect. */
        oldLocation: {
          id: string;
          [field: string]: unknown;
        };
        /** Place in the document. Further fields are stored. */
        newLocation: {
          id: string;
          locationName?: string;
          [field: string]: unknown;
        };
      };
      merge?: boolean | undefined;
    };
    response: null;
  };
  /** Delete the data of users */
  "/v1/users/data/delete": {
    request: {
      userIds: Array<string>;
      organizationIds?: Array<string> | undefined;
    };
    response: {
      jobId: string;
      tasksCount: number;
    };
  };
  /** Delete the data of users */
  "/v2/users/data/delete": Api["/v1/users/data/delete"];
  /** Read the status of a user-data deletion */
  "/v1/users/data/delete/status": {
    request: {
      jobId: string;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: DeletionStatus;
  };
  /** Read the status of a user-data deletion */
  "/v2/users/data/delete/status": Api["/v1/users/data/delete/status"];
  /** Export the data of a user */
  "/v1/users/data/get": {
    request: {
      organizationId: string;
      userId: string;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      [id: string]: Array<{
        [field: string]: unknown;
      }>;
    };
  };
  /** Export the data of a user */
  "/v2/users/data/get": Api["/v1/users/data/get"];
  /** Read the action types of activities */
  "/v2/activities/actiontypes/get": {
    request: {
      organizationId: string;
      search?: string | undefined;
      limit?: number | undefined;
    };
    response: Array<string>;
  };
  /** Add activities */
  "/v2/activities/add": {
    request: {
      organizationId: string;
      documentId: string;
      activities: Array<{
        id?: string;
        featureType: "comment" | "reaction" | "recorder" | "crdt" | "custom";
        actionType: string;
        actionUser: User;
        targetEntityId?: string;
        targetSubEntityId?: string;
        /** Changes by field name, each as { from, to }. */
        changes?: object | null;
        entityData?: unknown;
        entityTargetData?: unknown;
        /** Text with {{variable}} placeholders. */
        displayMessageTemplate?: string | null;
        displayMessageTemplateData?: object | null;
        /** Key by which pages find their own text for the template, such as a translation. */
        messageKey?: string | null;
        actionIcon?: string | null;
        isActivityResolverUsed?: boolean;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        timestamp?: number;
      }>;
    };
    response: ItemResult;
  };
  /** Delete activities */
  "/v2/activities/delete": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      activityIds?: Array<string> | undefined;
      targetEntityId?: string | undefined;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Read activities */
  "/v2/activities/get": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      targetEntityId?: string | undefined;
      featureTypes?: Array<"comment" | "reaction" | "recorder" | "crdt" | "custom"> | undefined;
      actionTypes?: Array<string> | undefined;
      userId?: string | undefined;
      activityIds?: Array<string> | undefined;
      query?: string | undefined;
      /** Earliest time, in milliseconds since the epoch. */
      from?: number | undefined;
      /** Time before which the records are, in milliseconds since the epoch. */
      to?: number | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Activity>;
  };
  /** Update activities */
  "/v2/activities/update": {
    request: {
      organizationId: string;
      activities: Array<{
        id: string;
        /** Changes by field name, each as { from, to }. */
        changes?: object | null;
        entityData?: unknown;
        entityTargetData?: unknown;
        /** Text with {{variable}} placeholders. */
        displayMessageTemplate?: string | null;
        displayMessageTemplateData?: object | null;
        /** Key by which pages find their own text for the template, such as a translation. */
        messageKey?: string | null;
        actionIcon?: string | null;
      }>;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Generate a token for a user */
  "/v2/auth/generate_token": {
    request: {
      userId: string;
      userProperties: {
        name: string;
        /** Email address; empty if there is none. White space around it is removed. */
        email?: string;
        photoUrl?: string;
        isAdmin?: boolean;
      };
      permissions: {
        resources: Array<{
          type: "organization" | "folder" | "document" | "context";
          id?: string;
          organizationId?: string;
          /** The pairs of an access context, if `type` is `context`. */
          context?: {
            /** Strings or numbers by field. The number `7` and the string `7` are equal. */
            access: {
              [id: string]: string | number;
            };
          };
          /** The role is not accepted if `type` is `context`. */
          accessRole?: "viewer" | "commenter" | "editor" | "moderator";
          /** Time in seconds since the epoch at which the grant ends. A past time grants nothing. */
          expiresAt?: number;
        }>;
      };
      expiresInSeconds?: number | undefined;
    };
    response: {
      token: string;
    };
  };
  /** Give a user permissions */
  "/v2/auth/permissions/add": {
    request: {
      user: {
        userId: string;
      };
      permissions: {
        resources: Array<{
          type: "organization" | "folder" | "document" | "context";
          id?: string;
          organizationId?: string;
          /** The pairs of an access context, if `type` is `context`. */
          context?: {
            /** Strings or numbers by field. The number `7` and the string `7` are equal. */
            access: {
              [id: string]: string | number;
            };
          };
          /** The role is not accepted if `type` is `context`. */
          accessRole?: "viewer" | "commenter" | "editor" | "moderator";
          /** Time in seconds since the epoch at which the grant ends. A past time grants nothing. */
          expiresAt?: number;
        }>;
      };
    };
    response: undefined;
  };
  /** Read who has access, and why */
  "/v2/auth/permissions/explain": {
    request: {
      organizationId: string;
      folderId?: string | undefined;
      documentId?: string | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      accessType: "public" | "organizationPrivate" | "restricted";
      /** Resource with the access type: the nearest one that does not inherit it, or the workspace. */
      definedBy: {
        type: "workspace" | "folder" | "document";
        /** ID of the folder or document. */
        id?: string;
        /** Missing if it is not set. */
        name?: string;
      };
      /** Whether the document or its organization is disabled: nobody has access. */
      disabled: boolean;
      users: Array<{
        userId: string;
        /** Missing if it is not set. */
        name?: string;
        email?: string;
        accessRole: "viewer" | "commenter" | "editor" | "moderator";
        /** The resource of the permission that decides. */
        through: {
          type: "organization" | "folder" | "document";
          id: string;
          /** Missing if it is not set. */
          name?: string;
        };
        /** End of that permission, in seconds since the epoch. */
        expiresAt?: number;
      }>;
    };
  };
  /** Read what users may do */
  "/v2/auth/permissions/get": {
    request: {
      organizationId: string;
      userIds: Array<string>;
      folderIds?: Array<string> | undefined;
      documentIds?: Array<string> | undefined;
      skipResourceExistenceValidation?: boolean | undefined;
    };
    response: {
      [id: string]: {
        organization: {
          [id: string]: Permission;
        };
        folders?: {
          [id: string]: Permission;
        };
        documents?: {
          [id: string]: Permission;
        };
        context?: {
          /** Pairs that the user holds, as `field:value`. */
          accessFields: Array<string>;
        };
      };
    };
  };
  /** Remove permissions of a user */
  "/v2/auth/permissions/remove": {
    request: {
      userId: string;
      permissions: {
        resources: Array<{
          type: "organization" | "folder" | "document" | "context";
          id?: string;
          organizationId?: string;
          /** The pairs of an access context, if `type` is `context`. */
          context?: {
            /** Strings or numbers by field. The number `7` and the string `7` are equal. */
            access: {
              [id: string]: string | number;
            };
          };
        }>;
      };
    };
    response: undefined;
  };
  /** Revoke the tokens of users */
  "/v2/auth/tokens/revoke": {
    request: {
      userIds: Array<string>;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Add comment annotations */
  "/v2/commentannotations/add": {
    request: {
      organizationId: string;
      documentId: string;
      commentAnnotations: Array<{
        annotationId?: string;
        type?: "comment" | "suggestion";
        commentType?: "manual" | "chart";
        pageInfo?: object;
        isPageAnnotation?: boolean;
        positionX?: number;
        positionY?: number;
        screenWidth?: number;
        screenHeight?: number;
        screenScrollHeight?: number;
        screenScrollTop?: number;
        /** Place in the document. Further fields are stored. */
        location?: {
          id: string;
          locationName?: string;
          [field: string]: unknown;
        };
        /** Passage or point that the annotation refers to. `null` for none. */
        anchor?: TextAnchor | QuoteAnchor | PointAnchor | null;
        /** Element of the document that the annotation refers to. */
        targetElement?: TargetElement | null;
        priority?: unknown;
        assignedTo?: User | null;
        context?: {
          /** Strings or numbers by field. The number `7` and the string `7` are equal. */
          access?: {
            [id: string]: string | number;
          };
          accessFields?: never;
          [field: string]: unknown;
        } | null;
        /** A status without an `id` is that of the service with this `type`. */
        status?: {
          id?: string;
          name?: string;
          type?: "default" | "ongoing" | "terminal";
          color?: string;
          lightColor?: string;
          svg?: string;
          iconUrl?: string;
        };
        visibility?: {
          type: "public" | "organizationPrivate" | "restricted";
          organizationId?: string;
          organizationIds?: Array<string>;
          userIds?: Array<string>;
        };
        /** Suggested change. Further fields are stored. */
        suggestion?: {
          status?: "pending" | "accepted" | "rejected";
          [field: string]: unknown;
        };
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        createdAt?: number;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        lastUpdated?: number;
        commentData?: Array<{
          /** Unique in its annotation. */
          commentId?: number;
          from: User;
          commentText?: string;
          /** Stored as sent. Sanitize it before you display it. */
          commentHtml?: string;
          taggedUserContacts?: Array<{
            /** Text of the tag in the comment, for example `@Grace`. */
            text?: string;
            userId: string;
            contact?: {
              userId?: unknown;
              name?: unknown;
              email?: string | null;
              [field: string]: unknown;
            };
          }>;
          taggedUserGroups?: Array<{
            /** Text of the tag in the comment, for example `@Legal`. */
            text?: string;
            groupId: string;
            /** Users whom the tag mentions: the members of the group when it was tagged, unless they are sent. */
            userIds?: Array<string>;
          }>;
          attachments?: Array<CommentAttachment>;
          /** Any JSON object without `access` and `accessFields`. It is returned equal. */
          context?: {
            access?: never;
            accessFields?: never;
            [field: string]: unknown;
          };
          /** Whether a resolver in your client holds the texts of the comment. */
          isCommentResolverUsed?: boolean;
          /** The default is whether `commentText` has characters. */
          isCommentTextAvailable?: boolean;
          /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
          createdAt?: number;
          /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
          lastUpdated?: number;
          metadata?: object;
          agent?: {
            /** `external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service. */
            agentSource: string;
            agentId: string;
            agentName?: string;
            executionId?: string;
            /** Page that the agent has checked. */
            url?: string;
            /** What the agent has found. Further fields are stored. */
            reason: {
              title: string;
              description: string;
              severity: "critical" | "high" | "medium" | "low" | "info";
              findingId?: string;
              findingType?: "text" | "pin" | "page";
              issueType?: string;
              /** Percent. */
              confidence?: number;
              suggestion?: string;
              suggestedFix?: string;
              htmlSnippet?: string;
              htmlSelector?: string;
              source?: "instructions" | "knowledge";
              knowledgeSection?: string;
              [field: string]: unknown;
            };
          };
          triggerNotification?: boolean;
          triggerActivities?: boolean;
        }>;
        /** Another name of `commentData`. */
        comments?: Array<{
          /** Unique in its annotation. */
          commentId?: number;
          from: User;
          commentText?: string;
          /** Stored as sent. Sanitize it before you display it. */
          commentHtml?: string;
          taggedUserContacts?: Array<{
            /** Text of the tag in the comment, for example `@Grace`. */
            text?: string;
            userId: string;
            contact?: {
              userId?: unknown;
              name?: unknown;
              email?: string | null;
              [field: string]: unknown;
            };
          }>;
          taggedUserGroups?: Array<{
            /** Text of the tag in the comment, for example `@Legal`. */
            text?: string;
            groupId: string;
            /** Users whom the tag mentions: the members of the group when it was tagged, unless they are sent. */
            userIds?: Array<string>;
          }>;
          attachments?: Array<CommentAttachment>;
          /** Any JSON object without `access` and `accessFields`. It is returned equal. */
          context?: {
            access?: never;
            accessFields?: never;
            [field: string]: unknown;
          };
          /** Whether a resolver in your client holds the texts of the comment. */
          isCommentResolverUsed?: boolean;
          /** The default is whether `commentText` has characters. */
          isCommentTextAvailable?: boolean;
          /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
          createdAt?: number;
          /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
          lastUpdated?: number;
          metadata?: object;
          agent?: {
            /** `external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service. */
            agentSource: string;
            agentId: string;
            agentName?: string;
            executionId?: string;
            /** Page that the agent has checked. */
            url?: string;
            /** What the agent has found. Further fields are stored. */
            reason: {
              title: string;
              description: string;
              severity: "critical" | "high" | "medium" | "low" | "info";
              findingId?: string;
              findingType?: "text" | "pin" | "page";
              issueType?: string;
              /** Percent. */
              confidence?: number;
              suggestion?: string;
              suggestedFix?: string;
              htmlSnippet?: string;
              htmlSelector?: string;
              source?: "instructions" | "knowledge";
              knowledgeSection?: string;
              [field: string]: unknown;
            };
          };
          triggerNotification?: boolean;
          triggerActivities?: boolean;
        }>;
      }>;
      /** If `false`, every item fails if the organization is missing. */
      createOrganization?: boolean | undefined;
      /** If `false`, every item fails if the document is missing. */
      createDocument?: boolean | undefined;
      /** Whether each author must be permitted to comment in the document. */
      verifyUserPermissions?: boolean | undefined;
    };
    response: {
      [id: string]: AddedAnnotationResult;
    };
  };
  /** Add comment annotations */
  "/v1/commentannotations/add": Api["/v2/commentannotations/add"];
  /** Add comments to an annotation */
  "/v2/commentannotations/comments/add": {
    request: {
      organizationId: string;
      documentId: string;
      annotationId: string;
      commentData?: Array<{
        /** Unique in its annotation. */
        commentId?: number;
        from: User;
        commentText?: string;
        /** Stored as sent. Sanitize it before you display it. */
        commentHtml?: string;
        taggedUserContacts?: Array<{
          /** Text of the tag in the comment, for example `@Grace`. */
          text?: string;
          userId: string;
          contact?: {
            userId?: unknown;
            name?: unknown;
            email?: string | null;
            [field: string]: unknown;
          };
        }>;
        taggedUserGroups?: Array<{
          /** Text of the tag in the comment, for example `@Legal`. */
          text?: string;
          groupId: string;
          /** Users whom the tag mentions: the members of the group when it was tagged, unless they are sent. */
          userIds?: Array<string>;
        }>;
        attachments?: Array<CommentAttachment>;
        /** Any JSON object without `access` and `accessFields`. It is returned equal. */
        context?: {
          access?: never;
          accessFields?: never;
          [field: string]: unknown;
        };
        /** Whether a resolver in your client holds the texts of the comment. */
        isCommentResolverUsed?: boolean;
        /** The default is whether `commentText` has characters. */
        isCommentTextAvailable?: boolean;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        createdAt?: number;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        lastUpdated?: number;
        metadata?: object;
        agent?: {
          /** `external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service. */
          agentSource: string;
          agentId: string;
          agentName?: string;
          executionId?: string;
          /** Page that the agent has checked. */
          url?: string;
          /** What the agent has found. Further fields are stored. */
          reason: {
            title: string;
            description: string;
            severity: "critical" | "high" | "medium" | "low" | "info";
            findingId?: string;
            findingType?: "text" | "pin" | "page";
            issueType?: string;
            /** Percent. */
            confidence?: number;
            suggestion?: string;
            suggestedFix?: string;
            htmlSnippet?: string;
            htmlSelector?: string;
            source?: "instructions" | "knowledge";
            knowledgeSection?: string;
            [field: string]: unknown;
          };
        };
        triggerNotification?: boolean;
        triggerActivities?: boolean;
      }> | undefined;
      /** Another name of `commentData`. */
      comments?: Array<{
        /** Unique in its annotation. */
        commentId?: number;
        from: User;
        commentText?: string;
        /** Stored as sent. Sanitize it before you display it. */
        commentHtml?: string;
        taggedUserContacts?: Array<{
          /** Text of the tag in the comment, for example `@Grace`. */
          text?: string;
          userId: string;
          contact?: {
            userId?: unknown;
            name?: unknown;
            email?: string | null;
            [field: string]: unknown;
          };
        }>;
        taggedUserGroups?: Array<{
          /** Text of the tag in the comment, for example `@Legal`. */
          text?: string;
          groupId: string;
          /** Users whom the tag mentions: the members of the group when it was tagged, unless they are sent. */
          userIds?: Array<string>;
        }>;
        attachments?: Array<CommentAttachment>;
        /** Any JSON object without `access` and `accessFields`. It is returned equal. */
        context?: {
          access?: never;
          accessFields?: never;
          [field: string]: unknown;
        };
        /** Whether a resolver in your client holds the texts of the comment. */
        isCommentResolverUsed?: boolean;
        /** The default is whether `commentText` has characters. */
        isCommentTextAvailable?: boolean;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        createdAt?: number;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        lastUpdated?: number;
        metadata?: object;
        agent?: {
          /** `external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service. */
          agentSource: string;
          agentId: string;
          agentName?: string;
          executionId?: string;
          /** Page that the agent has checked. */
          url?: string;
          /** What the agent has found. Further fields are stored. */
          reason: {
            title: string;
            description: string;
            severity: "critical" | "high" | "medium" | "low" | "info";
            findingId?: string;
            findingType?: "text" | "pin" | "page";
            issueType?: string;
            /** Percent. */
            confidence?: number;
            suggestion?: string;
            suggestedFix?: string;
            htmlSnippet?: string;
            htmlSelector?: string;
            source?: "instructions" | "knowledge";
            knowledgeSection?: string;
            [field: string]: unknown;
          };
        };
        triggerNotification?: boolean;
        triggerActivities?: boolean;
      }> | undefined;
      /** If `false`, the request is NOT_FOUND if the organization is missing. */
      createOrganization?: boolean | undefined;
      /** If `false`, the request is NOT_FOUND if the document is missing. */
      createDocument?: boolean | undefined;
      /** Whether each author must be permitted to comment in the document. */
      verifyUserPermissions?: boolean | undefined;
    };
    response: Array<number>;
  };
  /** Add comments to an annotation */
  "/v1/commentannotations/comments/add": Api["/v2/commentannotations/comments/add"];
  /** Delete comments of an annotation */
  "/v2/commentannotations/comments/delete": {
    request: {
      organizationId: string;
      documentId: string;
      annotationId: string;
      commentIds?: Array<number> | undefined;
      actionUser?: User | undefined;
      /** Whether each deletion writes an activity. Requires `actionUser`. */
      triggerActivities?: boolean | undefined;
    };
    response: {
      [id: string]: CommentResult;
    };
  };
  /** Delete comments of an annotation */
  "/v1/commentannotations/comments/delete": Api["/v2/commentannotations/comments/delete"];
  /** Read the comments of an annotation */
  "/v2/commentannotations/comments/get": {
    request: {
      organizationId: string;
      documentId: string;
      annotationId: string;
      userIds?: Array<string> | undefined;
      commentIds?: Array<number> | undefined;
    };
    response: Array<Comment | null>;
  };
  /** Read the comments of an annotation */
  "/v1/commentannotations/comments/get": Api["/v2/commentannotations/comments/get"];
  /** Update comments of an annotation */
  "/v2/commentannotations/comments/update": {
    request: {
      organizationId: string;
      documentId: string;
      annotationId: string;
      commentIds: Array<number>;
      updatedData: {
        commentText?: string;
        /** Stored as sent. Sanitize it before you display it. */
        commentHtml?: string;
        taggedUserContacts?: Array<{
          /** Text of the tag in the comment, for example `@Grace`. */
          text?: string;
          userId: string;
          contact?: {
            userId?: unknown;
            name?: unknown;
            email?: string | null;
            [field: string]: unknown;
          };
        }>;
        taggedUserGroups?: Array<{
          /** Text of the tag in the comment, for example `@Legal`. */
          text?: string;
          groupId: string;
          /** Users whom the tag mentions: the members of the group when it was tagged, unless they are sent. */
          userIds?: Array<string>;
        }>;
        attachments?: Array<CommentAttachment>;
        /** Any JSON object without `access` and `accessFields`. It is returned equal. */
        context?: {
          access?: never;
          accessFields?: never;
          [field: string]: unknown;
        };
        /** Whether a resolver in your client holds the texts of the comment. */
        isCommentResolverUsed?: boolean;
        /** The default is whether `commentText` has characters. */
        isCommentTextAvailable?: boolean;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        createdAt?: number;
        /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
        lastUpdated?: number;
        from?: User;
      };
      actionUser?: User | undefined;
      triggerNotification?: boolean | undefined;
    };
    response: {
      [id: string]: CommentResult;
    };
  };
  /** Update comments of an annotation */
  "/v1/commentannotations/comments/update": Api["/v2/commentannotations/comments/update"];
  /** Count comment annotations, and those that a user has not read */
  "/v2/commentannotations/count/get": {
    request: {
      organizationId: string;
      documentIds: Array<string>;
      userId: string;
      statusIds?: Array<string> | undefined;
      anchorEditorIds?: Array<string> | undefined;
      /** Whether to return the IDs of the unread annotations too. */
      includeUnreadIds?: boolean | undefined;
    };
    response: {
      [id: string]: {
        total: number;
        unread: number;
        /** The newest 1,000 of them. */
        unreadIds?: Array<string>;
      };
    };
  };
  /** Count comment annotations, and those that a user has not read */
  "/v1/commentannotations/count/get": Api["/v2/commentannotations/count/get"];
  /** Delete comment annotations with their comments */
  "/v2/commentannotations/delete": {
    request: {
      organizationId: string;
      documentId: string;
      annotationIds?: Array<string> | undefined;
      locationIds?: Array<string> | undefined;
      userIds?: Array<string> | undefined;
      agentId?: string | undefined;
      /** Only pending suggestions of agents. */
      agentSuggestions?: true | undefined;
      /** Absolute URLs. Others are ignored. */
      agentUrls?: Array<string> | undefined;
      actionUser?: User | undefined;
      /** Whether each deletion writes an activity. Requires `actionUser`. */
      triggerActivities?: boolean | undefined;
    };
    response: {
      [id: string]: AnnotationResult;
    };
  };
  /** Delete comment annotations with their comments */
  "/v1/commentannotations/delete": Api["/v2/commentannotations/delete"];
  /** Read comment annotations with their comments */
  "/v2/commentannotations/get": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      documentIds?: Array<string> | undefined;
      folderId?: string | undefined;
      locationIds?: Array<string> | undefined;
      anchorEditorIds?: Array<string> | undefined;
      annotationIds?: Array<string> | undefined;
      userIds?: Array<string> | undefined;
      mentionedUserIds?: Array<string> | undefined;
      statusIds?: Array<string> | undefined;
      statusId?: string | undefined;
      resolvedBy?: string | undefined;
      agentId?: string | undefined;
      executionId?: string | undefined;
      agentType?: "built-in" | "custom" | "external" | undefined;
      agentSource?: string | undefined;
      /** Only pending suggestions of agents. */
      agentSuggestions?: boolean | undefined;
      /** Only annotations of agents. */
      agentComments?: boolean | undefined;
      order?: "asc" | "desc" | undefined;
      /** Milliseconds since the epoch, exclusive. */
      createdAfter?: number | undefined;
      /** Milliseconds since the epoch, exclusive. */
      createdBefore?: number | undefined;
      /** Milliseconds since the epoch, exclusive. */
      updatedAfter?: number | undefined;
      /** Milliseconds since the epoch, exclusive. */
      updatedBefore?: number | undefined;
      /** Whether to find the passages of anchors in the collaborative documents as they are stored now. */
      resolveAnchors?: boolean | undefined;
      groupByDocumentId?: boolean | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<CommentAnnotation | null> | {
      [id: string]: Array<CommentAnnotation>;
    };
  };
  /** Read comment annotations with their comments */
  "/v1/commentannotations/get": Api["/v2/commentannotations/get"];
  /** Mark comment annotations as read by a user */
  "/v2/commentannotations/read": {
    request: {
      organizationId: string;
      documentId: string;
      userId: string;
      annotationIds?: Array<string> | undefined;
    };
    response: {
      success: boolean;
      message: string;
      readCount: number;
    };
  };
  /** Update comment annotations, or mark them as read */
  "/v2/commentannotations/update": {
    request: {
      organizationId: string;
      documentId: string;
      annotationIds?: Array<string> | undefined;
      locationIds?: Array<string> | undefined;
      userIds?: Array<string> | undefined;
      /** Required without `updateUsers`. An array has one object. */
      updatedData?: {
        /** Place in the document. Further fields are stored. */
        location?: {
          id: string;
          locationName?: string;
          [field: string]: unknown;
        };
        /** Passage or point that the annotation refers to. `null` for none. */
        anchor?: TextAnchor | QuoteAnchor | PointAnchor | null;
        /** Element of the document that the annotation refers to. */
        targetElement?: TargetElement | null;
        priority?: unknown;
        assignedTo?: User | null;
        context?: {
          /** Strings or numbers by field. The number `7` and the string `7` are equal. */
          access?: {
            [id: string]: string | number;
          };
          accessFields?: never;
          [field: string]: unknown;
        } | null;
        /** A status without an `id` is that of the service with this `type`. */
        status?: {
          id?: string;
          name?: string;
          type?: "default" | "ongoing" | "terminal";
          color?: string;
          lightColor?: string;
          svg?: string;
          iconUrl?: string;
        };
        visibility?: {
          type: "public" | "organizationPrivate" | "restricted";
          organizationId?: string;
          organizationIds?: Array<string>;
          userIds?: Array<string>;
        };
        from?: User;
        /** Suggested change. Further fields are stored. */
        suggestion?: {
          status?: "pending" | "accepted" | "rejected";
          [field: string]: unknown;
        };
        /** `null` clears it. */
        statusUpdatedByUserId?: string | null;
        /** `null` clears it. */
        resolvedByUserId?: string | null;
        readByUserIds?: Array<string>;
      } | Array<{
        /** Place in the document. Further fields are stored. */
        location?: {
          id: string;
          locationName?: string;
          [field: string]: unknown;
        };
        /** Passage or point that the annotation refers to. `null` for none. */
        anchor?: TextAnchor | QuoteAnchor | PointAnchor | null;
        /** Element of the document that the annotation refers to. */
        targetElement?: TargetElement | null;
        priority?: unknown;
        assignedTo?: User | null;
        context?: {
          /** Strings or numbers by field. The number `7` and the string `7` are equal. */
          access?: {
            [id: string]: string | number;
          };
          accessFields?: never;
          [field: string]: unknown;
        } | null;
        /** A status without an `id` is that of the service with this `type`. */
        status?: {
          id?: string;
          name?: string;
          type?: "default" | "ongoing" | "terminal";
          color?: string;
          lightColor?: string;
          svg?: string;
          iconUrl?: string;
        };
        visibility?: {
          type: "public" | "organizationPrivate" | "restricted";
          organizationId?: string;
          organizationIds?: Array<string>;
          userIds?: Array<string>;
        };
        from?: User;
        /** Suggested change. Further fields are stored. */
        suggestion?: {
          status?: "pending" | "accepted" | "rejected";
          [field: string]: unknown;
        };
        /** `null` clears it. */
        statusUpdatedByUserId?: string | null;
        /** `null` clears it. */
        resolvedByUserId?: string | null;
        readByUserIds?: Array<string>;
      }> | undefined;
      /** Replaces users as `from`, as `assignedTo` and in tags, in the annotations and their comments. */
      updateUsers?: Array<{
        oldUser: {
          userId: string;
          name?: string;
          email?: string;
          [field: string]: unknown;
        };
        newUser: User;
      }> | undefined;
      actionUser?: User | undefined;
      triggerActivities?: boolean | undefined;
      triggerNotification?: boolean | undefined;
    };
    response: {
      [id: string]: AnnotationResult;
    };
  };
  /** Update comment annotations, or mark them as read */
  "/v1/commentannotations/update": Api["/v2/commentannotations/update"];
  /** Create a collaborative document */
  "/v2/crdt/add": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      /** Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment. */
      type: "text" | "map" | "array" | "xml";
      contentKey?: string | undefined;
      /** A string for `text`, an object for `map`, an array of objects for `array`, an XML string for `xml`. */
      data: string | object | Array<unknown>;
      userId?: string | undefined;
      schema?: NewEditorSchema | undefined;
    };
    response: undefined;
  };
  /** Delete collaborative documents */
  "/v2/crdt/delete": {
    request: {
      organizationId: string;
      documentId: string;
      editorIds?: Array<string> | undefined;
    };
    response: object;
  };
  /** Read collaborative documents */
  "/v2/crdt/get": {
    request: {
      organizationId: string;
      documentId: string;
      editorId?: string | undefined;
      includeState?: boolean | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<CollaborativeDocument>;
  };
  /** Read the editor schema of a collaborative document */
  "/v2/crdt/schema/get": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
    };
    response: {
      /** Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment. */
      type: "text" | "map" | "array" | "xml";
      contentKey: string;
      schema: EditorSchema | null;
    };
  };
  /** Record the editor schema of a collaborative document */
  "/v2/crdt/schema/update": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      schema: NewEditorSchema;
    };
    response: {
      schema: EditorSchema;
    };
  };
  /** Replace the content of a collaborative document */
  "/v2/crdt/update": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      /** Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment. */
      type: "text" | "map" | "array" | "xml";
      contentKey?: string | undefined;
      /** A string for `text`, an object for `map`, an array of objects for `array`, an XML string for `xml`. */
      data: string | object | Array<unknown>;
      userId?: string | undefined;
      schema?: NewEditorSchema | undefined;
      /** The `state` that `/v2/crdt/get` returned with the content from which `data` was made. */
      state?: string | undefined;
    };
    response: undefined;
  };
  /** Add a version of a collaborative document */
  "/v2/crdt/versions/add": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      name: string;
      versionId?: string | undefined;
    };
    response: {
      id: string;
    };
  };
  /** Compare versions of a collaborative document */
  "/v2/crdt/versions/compare": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      versionId: string;
      otherVersionId?: string | undefined;
      includeUnchanged?: boolean | undefined;
    };
    response: Array<CollaborativeDocumentChange>;
  };
  /** Delete versions of a collaborative document */
  "/v2/crdt/versions/delete": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      versionIds?: Array<string> | undefined;
    };
    response: object;
  };
  /** Read a version of a collaborative document */
  "/v2/crdt/versions/get": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      versionId: string;
      includeState?: boolean | undefined;
    };
    response: CollaborativeDocumentVersionWithContent;
  };
  /** List the versions of a collaborative document */
  "/v2/crdt/versions/list": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      kind?: "named" | "automatic" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<CollaborativeDocumentVersion>;
  };
  /** Restore a version of a collaborative document */
  "/v2/crdt/versions/restore": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      versionId: string;
    };
    response: {
      /** ID of the version that has what was replaced. */
      replacedVersionId: string | null;
    };
  };
  /** Name a version of a collaborative document */
  "/v2/crdt/versions/update": {
    request: {
      organizationId: string;
      documentId: string;
      editorId: string;
      versionId: string;
      name: string;
    };
    response: undefined;
  };
  /** Read the events after a cursor, or wait for them */
  "/v2/events/get": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      documentIds?: Array<string> | undefined;
      /** Whether to add what changes the inbox of the user. */
      inbox?: true | undefined;
      /** Whether to add the activities of all documents that the caller may read. */
      activities?: true | undefined;
      /** Whether to add what pages share about their users. Only streams have it. */
      presenceData?: true | undefined;
      kinds?: Array<"activity.add" | "activity.update" | "activity.delete" | "comment_annotation.add" | "comment_annotation.update" | "comment_annotation.status_change" | "comment_annotation.assign" | "comment_annotation.priority_change" | "comment_annotation.suggestion_accept" | "comment_annotation.suggestion_reject" | "comment_annotation.delete" | "comment_annotation.read" | "comment.add" | "comment.update" | "comment.delete" | "comment.reaction_add" | "comment.reaction_delete" | "recorder.done" | "recorder.update" | "recorder.delete" | "notification.add" | "notification.update" | "notification.delete" | "live_state.update" | "presence.update" | "presence.delete" | "crdt.update_data" | "crdt.versions_update" | "crdt.delete" | "document.update" | "document.delete" | "user.update" | "user.delete" | "organization.update" | "user_data.deleted" | "access.update"> | undefined;
      /** Cursor of an earlier response, unchanged. */
      cursor?: string | undefined;
      waitSeconds?: number | undefined;
      pageSize?: number | undefined;
    };
    response: {
      events: Array<Event>;
      cursor: string;
      isReset?: true;
    };
  };
  /** Add a file */
  "/v2/files/add": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      name: string;
      /** Must be a media type, for example `image/png`. */
      contentType: string;
      /** Size in bytes. */
      size: number;
      /** Must be the SHA-256 of the bytes in lower-case hexadecimal digits. */
      checksum?: string | undefined;
    };
    response: NewFile;
  };
  /** Replace or merge a live state of a document */
  "/v2/livestate/broadcast": {
    request: {
      organizationId: string;
      documentId: string;
      liveStateDataId: string;
      data: object;
      merge?: boolean | undefined;
    };
    response: {
      success: boolean;
    };
  };
  /** Replace or merge a live state of a document */
  "/v1/livestate/broadcast": Api["/v2/livestate/broadcast"];
  /** Read the live states of a document */
  "/v2/livestate/get": {
    request: {
      organizationId: string;
      documentId: string;
      liveStateDataIds?: Array<string> | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<LiveState>;
  };
  /** Add a notification */
  "/v2/notifications/add": {
    request: {
      organizationId: string;
      documentId: string;
      locationId?: string | undefined;
      /** Must only have letters, digits, _ and -. Without it, the notification gets a UUID. */
      notificationId?: string | undefined;
      actionUser: User;
      /** Users to notify. */
      notifyUsers: Array<User>;
      /** Whether to notify the other users of the organization too. */
      notifyAll?: boolean | undefined;
      /** Main message with {variable} placeholders. */
      displayHeadlineMessageTemplate?: string | null | undefined;
      /** Values of the placeholders. */
      displayHeadlineMessageTemplateData?: object | null | undefined;
      /** Key by which pages find their own text for the template, such as a translation. */
      messageKey?: string | null | undefined;
      /** Secondary message. */
      displayBodyMessage?: string | null | undefined;
      /** Secondary message with {variable} placeholders. */
      displayBodyMessageTemplate?: string | null | undefined;
      /** Values of the placeholders. */
      displayBodyMessageTemplateData?: object | null | undefined;
      notificationSourceData?: object | null | undefined;
      location?: {
        id: string;
        locationName?: string;
        [field: string]: unknown;
      } | null | undefined;
      context?: {
        /** Strings or numbers by field. The number `7` and the string `7` are equal. */
        access?: {
          [id: string]: string | number;
        };
        accessFields?: never;
        [field: string]: unknown;
      } | null | undefined;
      /** Further fields of the notification's metadata. */
      metadata?: object | null | undefined;
      notificationSource?: string | undefined;
      /** Whether your own resolver provides the messages. */
      isNotificationResolverUsed?: boolean | undefined;
      /** Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up to a minute ahead of the server's clock counts as now. */
      timestamp?: number | undefined;
      /** If `false`, the request is NOT_FOUND if the organization is missing. */
      createOrganization?: boolean | undefined;
      /** If `false`, the request is NOT_FOUND if the document is missing. */
      createDocument?: boolean | undefined;
      /** Whether to leave out recipients who cannot read the document. */
      verifyUserPermissions?: boolean | undefined;
    };
    response: ItemResult;
  };
  /** Add a notification */
  "/v1/notifications/add": Api["/v2/notifications/add"];
  /** Archive a user's notifications */
  "/v2/notifications/archive": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId: string;
      notificationIds?: Array<string> | undefined;
    };
    response: {
      success: boolean;
      message: string;
      archivedCount: number;
    };
  };
  /** Read a user's notification preferences for documents */
  "/v2/notifications/config/documents/get": {
    request: {
      organizationId: string;
      userId: string;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<{
      documentId: string;
      config: {
        inbox?: "ALL" | "MINE" | "NONE";
        email?: "ALL" | "MINE" | "NONE";
        slack?: "ALL" | "MINE" | "NONE";
      };
    }>;
  };
  /** Read a user's notification preferences */
  "/v2/notifications/config/get": {
    request: {
      organizationId: string;
      documentIds?: Array<string> | undefined;
      userId: string;
      getOrganizationConfig?: boolean | undefined;
    };
    response: Array<NotificationPreferences>;
  };
  /** Read a user's notification preferences */
  "/v1/notifications/config/get": Api["/v2/notifications/config/get"];
  /** Set users' notification preferences */
  "/v2/notifications/config/set": {
    request: {
      organizationId: string;
      userIds: Array<string>;
      documentIds?: Array<string> | undefined;
      config: {
        /** Null removes it. */
        inbox?: "ALL" | "MINE" | "NONE" | null;
        /** Null removes it. */
        email?: "ALL" | "MINE" | "NONE" | null;
        /** Null removes it. */
        slack?: "ALL" | "MINE" | "NONE" | null;
      };
    };
    response: {
      [id: string]: {
        success: boolean;
        message: string;
        userId: string;
        /** The first of `documentIds`. */
        documentId?: string;
      };
    };
  };
  /** Set users' notification preferences */
  "/v1/notifications/config/set": Api["/v2/notifications/config/set"];
  /** Count the notifications in users' inboxes, and those that are unread */
  "/v2/notifications/count/get": {
    request: {
      organizationId: string;
      userIds: Array<string>;
      documentId?: string | undefined;
      locationId?: string | undefined;
    };
    response: {
      [id: string]: {
        total: number;
        unread: number;
      };
    };
  };
  /** Delete notifications */
  "/v2/notifications/delete": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId?: string | undefined;
      notificationIds?: Array<string> | undefined;
      /** Whether to leave out the notifications that the user has archived, to select only these, or to select both. Requires `organizationId` and `userId`. */
      archived?: "exclude" | "only" | "include" | undefined;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Delete notifications */
  "/v1/notifications/delete": Api["/v2/notifications/delete"];
  /** Explain who got a notification */
  "/v2/notifications/explain": {
    request: {
      organizationId: string;
      notificationId: string;
      userIds: Array<string>;
    };
    response: Array<NotificationExplanation>;
  };
  /** Read notifications */
  "/v2/notifications/get": {
    request: {
      organizationId?: string | undefined;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId?: string | undefined;
      notificationIds?: Array<string> | undefined;
      /** Whether to leave out the notifications that the user has archived, to select only these, or to select both. Requires `organizationId` and `userId`. */
      archived?: "exclude" | "only" | "include" | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Notification>;
  };
  /** Mark a user's notifications as read */
  "/v2/notifications/read": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId: string;
      notificationIds?: Array<string> | undefined;
      /** Whether read notifications stay in the inbox. */
      persistReadForUsers?: boolean | undefined;
    };
    response: {
      success: boolean;
      message: string;
      readCount: number;
    };
  };
  /** Restore a user's archived notifications */
  "/v2/notifications/restore": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      locationId?: string | undefined;
      userId: string;
      notificationIds?: Array<string> | undefined;
    };
    response: {
      success: boolean;
      message: string;
      restoredCount: number;
    };
  };
  /** Enable or disable access to organizations */
  "/v2/organizations/access/disablestate/update": {
    request: {
      organizationIds: Array<string>;
      disabled: boolean;
    };
    response: {
      [id: string]: IdentifiedResult;
    };
  };
  /** Enable or disable access to organizations */
  "/v1/organizations/access/disablestate/update": Api["/v2/organizations/access/disablestate/update"];
  /** Add organizations */
  "/v2/organizations/add": {
    request: {
      organizations: Array<{
        organizationId: string;
        /** Empty until it is set. */
        organizationName?: string;
        disabled?: never;
        id?: never;
        [field: string]: unknown;
      }>;
    };
    response: {
      [id: string]: IdentifiedResult;
    };
  };
  /** Add organizations */
  "/v1/organizations/add": Api["/v2/organizations/add"];
  /** Delete organizations with everything in them */
  "/v2/organizations/delete": {
    request: {
      organizationIds: Array<string>;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Delete organizations with everything in them */
  "/v1/organizations/delete": Api["/v2/organizations/delete"];
  /** Enable or disable access to documents */
  "/v2/organizations/documents/access/disablestate/update": {
    request: {
      organizationId: string;
      documentIds: Array<string>;
      disabled: boolean;
    };
    response: {
      [id: string]: {
        success: boolean;
        message: string;
        disabled: boolean;
      };
    };
  };
  /** Enable or disable access to documents */
  "/v1/organizations/documents/access/disablestate/update": Api["/v2/organizations/documents/access/disablestate/update"];
  /** Update the access types of documents */
  "/v2/organizations/documents/access/update": {
    request: {
      organizationId: string;
      documentIds: Array<string>;
      accessType?: "public" | "organizationPrivate" | "restricted" | undefined;
      inheritFromParent?: boolean | undefined;
    };
    response: {
      [id: string]: AccessResult;
    };
  };
  /** Update the access types of documents */
  "/v1/organizations/documents/access/update": Api["/v2/organizations/documents/access/update"];
  /** Add documents */
  "/v2/organizations/documents/add": {
    request: {
      organizationId: string;
      documents: Array<{
        documentId: string;
        /** Empty until it is set. */
        documentName?: string;
        accessType?: never;
        disabled?: never;
        folderId?: never;
        id?: never;
        lastActivity?: never;
        [field: string]: unknown;
      }>;
      folderId?: string | undefined;
      /** If `false`, every item fails if the organization is missing. */
      createOrganization?: boolean | undefined;
      /** If `false`, every item fails if the folder is missing. */
      createFolder?: boolean | undefined;
    };
    response: {
      [id: string]: IdentifiedResult;
    };
  };
  /** Add documents */
  "/v1/organizations/documents/add": Api["/v2/organizations/documents/add"];
  /** Count documents */
  "/v2/organizations/documents/count/get": {
    request: {
      organizationId: string;
      folderId?: string | undefined;
      excludeFolderDocs?: boolean | undefined;
      filters?: Array<{
        key: string;
        operator: "==" | "in";
        value: unknown;
      }> | undefined;
    };
    response: {
      count: number;
      /** Present if there were filters. */
      filtersApplied?: true;
    };
  };
  /** Delete documents with everything in them */
  "/v2/organizations/documents/delete": {
    request: {
      organizationId: string;
      documentIds: Array<string>;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Delete documents with everything in them */
  "/v1/organizations/documents/delete": Api["/v2/organizations/documents/delete"];
  /** Read documents with their statistics */
  "/v2/organizations/documents/figures/get": {
    request: {
      organizationId: string;
      documentIds?: Array<string> | undefined;
      folderId?: string | undefined;
      search?: string | undefined;
      disabled?: boolean | undefined;
      orderBy?: "id" | "name" | "createdAt" | "annotations" | "users" | "lastActivity" | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      documents: Array<DocumentStatistics>;
      totalCount: number;
    };
  };
  /** Read documents */
  "/v2/organizations/documents/get": {
    request: {
      organizationId: string;
      documentIds?: Array<string> | undefined;
      folderId?: string | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Document>;
  };
  /** Read documents */
  "/v1/organizations/documents/get": Api["/v2/organizations/documents/get"];
  /** Move a document with everything in it to a new ID */
  "/v2/organizations/documents/migrate": {
    request: {
      organizationId: string;
      documentId: string;
      newDocumentId: string;
    };
    response: {
      migrationId: string;
    };
  };
  /** Read the status of a document's migration */
  "/v2/organizations/documents/migrate/status": {
    request: {
      organizationId: string;
      migrationId: string;
    };
    response: {
      migrationId: string;
      status: "pending" | "in_progress" | "completed" | "failed";
      /** Why the migration failed. */
      failure?: string;
    };
  };
  /** Move documents into a folder */
  "/v2/organizations/documents/move": {
    request: {
      organizationId: string;
      documentIds: Array<string>;
      folderId: string;
    };
    response: undefined;
  };
  /** Move documents into a folder */
  "/v1/organizations/documents/move": Api["/v2/organizations/documents/move"];
  /** Update documents */
  "/v2/organizations/documents/update": {
    request: {
      organizationId: string;
      documents: Array<{
        documentId: string;
        /** Empty until it is set. */
        documentName?: string;
        accessType?: never;
        disabled?: never;
        folderId?: never;
        id?: never;
        lastActivity?: never;
        [field: string]: unknown;
      }>;
      /** Has no effect: an update creates nothing. */
      createOrganization?: boolean | undefined;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Update documents */
  "/v1/organizations/documents/update": Api["/v2/organizations/documents/update"];
  /** Update the access types of folders */
  "/v2/organizations/folders/access/update": {
    request: {
      organizationId: string;
      folderIds: Array<string>;
      accessType?: "public" | "organizationPrivate" | "restricted" | undefined;
      inheritFromParent?: boolean | undefined;
    };
    response: {
      [id: string]: AccessResult;
    };
  };
  /** Update the access types of folders */
  "/v1/organizations/folders/access/update": Api["/v2/organizations/folders/access/update"];
  /** Add folders */
  "/v2/organizations/folders/add": {
    request: {
      organizationId: string;
      folders: Array<{
        folderId: string;
        /** Empty until it is set. */
        folderName?: string;
        parentFolderId?: string;
        accessType?: "public" | "organizationPrivate" | "restricted";
      }>;
      /** If `false`, every item fails if the organization is missing. */
      createOrganization?: boolean | undefined;
    };
    response: {
      [id: string]: FolderResult;
    };
  };
  /** Add folders */
  "/v1/organizations/folders/add": Api["/v2/organizations/folders/add"];
  /** Delete a folder with everything in it */
  "/v2/organizations/folders/delete": {
    request: {
      organizationId: string;
      folderId: string;
    };
    response: null;
  };
  /** Read folders */
  "/v2/organizations/folders/get": {
    request: {
      organizationId: string;
      folderId?: string | undefined;
      /** Number of levels of `subFolders`. */
      maxDepth?: number | undefined;
    };
    response: Array<Folder>;
  };
  /** Read folders */
  "/v1/organizations/folders/get": Api["/v2/organizations/folders/get"];
  /** Rename or move folders */
  "/v2/organizations/folders/update": {
    request: {
      organizationId: string;
      folders: Array<{
        folderId: string;
        /** Empty until it is set. */
        folderName?: string;
        parentFolderId?: string;
      }>;
    };
    response: {
      [id: string]: FolderResult;
    };
  };
  /** Rename or move folders */
  "/v1/organizations/folders/update": Api["/v2/organizations/folders/update"];
  /** Read organizations */
  "/v2/organizations/get": {
    request: {
      organizationIds?: Array<string> | undefined;
      search?: string | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Organization>;
  };
  /** Read organizations */
  "/v1/organizations/get": Api["/v2/organizations/get"];
  /** Read notifications with their recipients */
  "/v2/organizations/notifications/get": {
    request: {
      organizationId: string;
      notificationIds?: Array<string> | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<OrganizationNotification>;
  };
  /** Read the presence of users in all documents */
  "/v2/organizations/presence/get": {
    request: {
      organizationId: string;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<OrganizationPresence>;
  };
  /** Update organizations */
  "/v2/organizations/update": {
    request: {
      organizations: Array<{
        organizationId: string;
        /** Empty until it is set. */
        organizationName?: string;
        disabled?: never;
        id?: never;
        [field: string]: unknown;
      }>;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Update organizations */
  "/v1/organizations/update": Api["/v2/organizations/update"];
  /** Add user groups to an organization */
  "/v2/organizations/usergroups/add": {
    request: {
      organizationId: string;
      organizationUserGroups: Array<{
        groupId: string;
        /** Empty until it is set. */
        groupName?: string;
      }>;
      /** If `false`, every item fails if the organization is missing. */
      createOrganization?: boolean | undefined;
    };
    response: {
      [id: string]: IdentifiedResult;
    };
  };
  /** Add user groups to an organization */
  "/v1/organizations/usergroups/add": Api["/v2/organizations/usergroups/add"];
  /** Read user groups with their members */
  "/v2/organizations/usergroups/get": {
    request: {
      organizationId: string;
      organizationUserGroupIds?: Array<string> | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<UserGroup>;
  };
  /** Add users to a user group */
  "/v2/organizations/usergroups/users/add": {
    request: {
      organizationId: string;
      /** The `groupId` of the user group. */
      organizationUserGroupId: string;
      userIds: Array<string>;
    };
    response: {
      [id: string]: {
        success: boolean;
        message: string;
        organizationUserGroupId: string;
      };
    };
  };
  /** Add users to a user group */
  "/v1/organizations/usergroups/users/add": Api["/v2/organizations/usergroups/users/add"];
  /** Remove users from a user group */
  "/v2/organizations/usergroups/users/delete": {
    request: {
      organizationId: string;
      /** The `groupId` of the user group. */
      organizationUserGroupId: string;
      userIds?: Array<string> | undefined;
      /** Removes all users of the group. */
      deleteAll?: boolean | undefined;
    };
    response: {
      [id: string]: {
        success: boolean;
        message: string;
        organizationUserGroupId: string;
      };
    };
  };
  /** Remove users from a user group */
  "/v1/organizations/usergroups/users/delete": Api["/v2/organizations/usergroups/users/delete"];
  /** Add or renew the presence of users */
  "/v2/presence/add": {
    request: {
      organizationId: string;
      documentId: string;
      users: Array<{
        userId: string;
        name?: string;
        /** Email address; empty if there is none. White space around it is removed. */
        email?: string;
        status?: "online" | "away" | "offline";
      }>;
    };
    response: {
      success: boolean;
    };
  };
  /** Add or renew the presence of users */
  "/v2/presence/update": Api["/v2/presence/add"];
  /** Share data of a user in a document, such as a cursor */
  "/v2/presence/broadcast": {
    request: {
      organizationId: string;
      documentId: string;
      userId: string;
      /** Must have 1 to 64 letters, digits, _ and -. A random text, which distinguishes the pages of a user. */
      connectionId: string;
      /** Any JSON object of at most 2 KiB, such as a cursor and its color. */
      data?: object | undefined;
    };
    response: {
      success: boolean;
    };
  };
  /** Remove users from the presence of a document */
  "/v2/presence/delete": {
    request: {
      organizationId: string;
      documentId: string;
      userIds: Array<string>;
    };
    response: {
      success: boolean;
    };
  };
  /** Read the presence of users in a document */
  "/v2/presence/get": {
    request: {
      organizationId: string;
      documentId: string;
      userIds?: Array<string> | undefined;
    };
    response: Array<Presence>;
  };
  /** Add a reaction to a comment */
  "/v2/reactions/add": {
    request: {
      organizationId: string;
      documentId: string;
      annotationId: string;
      /** Unique in its annotation. */
      commentId: number;
      reaction: string;
      from: User;
    };
    response: ItemResult;
  };
  /** Delete a reaction from a comment */
  "/v2/reactions/delete": {
    request: {
      organizationId: string;
      documentId: string;
      annotationId: string;
      /** Unique in its annotation. */
      commentId: number;
      reaction: string;
      from: User;
    };
    response: ItemResult;
  };
  /** Add recordings */
  "/v2/recordings/add": {
    request: {
      organizationId: string;
      documentId: string;
      recordings: Array<{
        annotationId?: string;
        type?: "recorder";
        /** For example `screen`. */
        recordingType?: string;
        /** For example `floating`. */
        mode?: string;
        recordedTime?: {
          /** In a unit of your choice; stored as sent. */
          duration?: number;
          /** Clock format, for example `00:01:30`. */
          display?: string;
        };
        displayName?: string;
        attachments?: Array<{
          attachmentId?: number;
          /** A file of `/v2/files/add`, which then belongs to the recording. */
          fileId?: string;
          /** For example `video/mp4`. */
          mimeType?: string;
          name?: string;
          /** File type, for example `mp4`. */
          type?: string;
          /** Size in bytes. */
          size?: number;
          /** Time until which a signed URL works. Read the record again before it. Ignored when it is sent. */
          urlExpiresAt?: number;
          /** Address of the file, required without `fileId`. With it, it is signed when the recording is read. */
          url?: string;
        }>;
        /** The user who made the recording. */
        from?: {
          userId: string;
          name?: string;
          /** Email address; empty if there is none. White space around it is removed. */
          email?: string;
          [field: string]: unknown;
        };
      }>;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Delete recordings */
  "/v2/recordings/delete": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      recordingIds?: Array<string> | undefined;
    };
    response: {
      [id: string]: ChangeResult;
    };
  };
  /** Read recordings */
  "/v2/recordings/get": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      recordingIds?: Array<string> | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Recording>;
  };
  /** Update recordings */
  "/v2/recordings/update": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      recordings: Array<{
        annotationId: string;
        /** For example `screen`. */
        recordingType?: string;
        /** For example `floating`. */
        mode?: string;
        recordedTime?: {
          /** In a unit of your choice; stored as sent. */
          duration?: number;
          /** Clock format, for example `00:01:30`. */
          display?: string;
        };
        displayName?: string;
        attachments?: Array<{
          attachmentId?: number;
          /** A file of `/v2/files/add`, which then belongs to the recording. */
          fileId?: string;
          /** For example `video/mp4`. */
          mimeType?: string;
          name?: string;
          /** File type, for example `mp4`. */
          type?: string;
          /** Size in bytes. */
          size?: number;
          /** Time until which a signed URL works. Read the record again before it. Ignored when it is sent. */
          urlExpiresAt?: number;
          /** Address of the file, required without `fileId`. With it, it is signed when the recording is read. */
          url?: string;
        }>;
      }>;
    };
    response: {
      [id: string]: ChangeResult;
    };
  };
  /** Add users to an organization, folder or document */
  "/v2/users/add": {
    request: {
      organizationId: string;
      users: Array<{
        userId: string;
        name?: string;
        /** Email address; empty if there is none. White space around it is removed. */
        email?: string;
        photoUrl?: string;
        /** A file of `/v2/files/add`, which then belongs to the user. `photoUrl` is signed when it is read. */
        photoFileId?: string;
        /** First letter of the name, unless another one is sent. */
        initial?: string;
        /** Role at the level of the request, if there is one. */
        accessRole?: "viewer" | "commenter" | "editor" | "moderator";
        [field: string]: unknown;
      }>;
      documentId?: string | undefined;
      folderId?: string | undefined;
      /** If `false`, every item fails if the organization is missing. */
      createOrganization?: boolean | undefined;
      /** If `false`, every item fails if the folder is missing. */
      createFolder?: boolean | undefined;
      /** If `false`, every item fails if the document is missing. */
      createDocument?: boolean | undefined;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Add users to an organization, folder or document */
  "/v1/users/add": Api["/v2/users/add"];
  /** Count the users of an organization, folder or document */
  "/v2/users/count/get": {
    request: {
      organizationId: string;
      documentId?: string | undefined;
      folderId?: string | undefined;
      allDocuments?: boolean | undefined;
      userId?: string | undefined;
    };
    response: {
      count: number;
    };
  };
  /** List the deletions of user data */
  "/v2/users/data/deletions/get": {
    request: {
      userId?: string | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Deletion>;
  };
  /** Read the signed receipt of a user-data deletion */
  "/v2/users/data/deletions/receipt/get": {
    request: {
      jobId: string;
    };
    response: {
      receipt: DeletionReceipt;
      signature: string;
    };
  };
  /** Find the organizations in which a user has data */
  "/v2/users/data/organizations/get": {
    request: {
      userId: string;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<string>;
  };
  /** Delete users from an organization, folder or document */
  "/v2/users/delete": {
    request: {
      organizationId: string;
      userIds: Array<string>;
      documentId?: string | undefined;
      folderId?: string | undefined;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Delete users from an organization, folder or document */
  "/v1/users/delete": Api["/v2/users/delete"];
  /** Read the documents of users */
  "/v2/users/documents/get": {
    request: {
      organizationId: string;
      userIds?: Array<string> | undefined;
      includeInvolvedDocuments?: boolean | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<UserWithDocuments>;
  };
  /** Read users with their statistics */
  "/v2/users/figures/get": {
    request: {
      organizationId: string;
      userIds?: Array<string> | undefined;
      groupId?: string | undefined;
      search?: string | undefined;
      orderBy?: "id" | "name" | "documents" | "lastActivityAt" | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      users: Array<UserStatistics>;
      totalCount: number;
    };
  };
  /** Read the users of an organization, folder or document */
  "/v2/users/get": {
    request: {
      organizationId: string;
      userIds?: Array<string> | undefined;
      organizationUserGroupIds?: Array<string> | undefined;
      documentId?: string | undefined;
      folderId?: string | undefined;
      allDocuments?: boolean | undefined;
      /** Requires `allDocuments`. */
      groupByDocumentId?: boolean | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<UserRecord> | {
      [id: string]: Array<UserRecord>;
    };
  };
  /** Read the users of an organization, folder or document */
  "/v1/users/get": Api["/v2/users/get"];
  /** Update users of an organization */
  "/v2/users/update": {
    request: {
      organizationId: string;
      users: Array<{
        userId: string;
        name?: string;
        /** Email address; empty if there is none. White space around it is removed. */
        email?: string;
        photoUrl?: string;
        /** A file of `/v2/files/add`, which then belongs to the user. `photoUrl` is signed when it is read. */
        photoFileId?: string;
        /** First letter of the name, unless another one is sent. */
        initial?: string;
        /** Role at the level of the request, if there is one. */
        accessRole?: "viewer" | "commenter" | "editor" | "moderator";
        [field: string]: unknown;
      }>;
      documentId?: string | undefined;
      folderId?: string | undefined;
      /** Has no effect: an update creates nothing. */
      createOrganization?: boolean | undefined;
      /** Has no effect: an update creates nothing. */
      createFolder?: boolean | undefined;
      /** Has no effect: an update creates nothing. */
      createDocument?: boolean | undefined;
    };
    response: {
      [id: string]: RecordResult;
    };
  };
  /** Update users of an organization */
  "/v1/users/update": Api["/v2/users/update"];
  /** Read the version of the service */
  "/v2/version": {
    request: object;
    response: {
      /** Version of the process that responds. */
      version: string;
      /** Versions of the API, with which paths begin. */
      apiVersions: Array<string>;
      /** Whether a later version has upgraded the database. It is true until this process is replaced, or after a rollback. */
      isSchemaNewer: boolean;
    };
  };
  /** Read the activities of all organizations */
  "/v2/workspace/activities/get": {
    request: {
      userId?: string | undefined;
      featureTypes?: Array<"comment" | "reaction" | "recorder" | "crdt" | "custom"> | undefined;
      actionTypes?: Array<string> | undefined;
      query?: string | undefined;
      /** Earliest time, in milliseconds since the epoch. */
      from?: number | undefined;
      /** Time before which the records are, in milliseconds since the epoch. */
      to?: number | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<Activity>;
  };
  /** Read the configuration of the activity service */
  "/v2/workspace/activityconfig/get": {
    request: object;
    response: {
      activityServiceConfig: ActivityServiceConfig;
    };
  };
  /** Update the configuration of the activity service */
  "/v2/workspace/activityconfig/update": {
    request: {
      activityServiceConfig: {
        /** Whether activities can be added. */
        isEnabled?: boolean;
        /** Whether activities can only be added, not changed or deleted. */
        immutable?: boolean;
        /** Time when the service was last turned on, in milliseconds since the epoch. Missing if never. */
        enabledTime?: number;
        /** Switches by feature, such as `{ comment: { added: true } }`, or by flat names of events, such as `comment.add`, at most 100. */
        triggers?: {
          [id: string]: boolean | {
            [id: string]: boolean;
          };
        };
      };
    };
    response: {
      activityServiceConfig: ActivityServiceConfig;
    };
  };
  /** Count the deliveries to each webhook endpoint */
  "/v2/workspace/advancedwebhook/deliveries/figures/get": {
    request: object;
    response: Array<WebhookDeliveryFigures>;
  };
  /** List the deliveries to a webhook endpoint */
  "/v2/workspace/advancedwebhook/deliveries/get": {
    request: {
      endpointId: string;
      limit?: number | undefined;
      /** Only deliveries with one of these statuses. */
      statuses?: Array<"pending" | "delivered" | "failed" | "canceled"> | undefined;
      /** `iterator` of a response, unchanged. */
      iterator?: string | undefined;
    };
    response: {
      deliveries: Array<WebhookDelivery>;
      /** Continues after this page, or null. */
      iterator: string | null;
      /** Whether this is the last page. */
      done: boolean;
    };
  };
  /** Read the payload of a webhook delivery */
  "/v2/workspace/advancedwebhook/deliveries/payload/get": {
    request: {
      endpointId: string;
      deliveryId: string;
    };
    response: {
      /** The JSON that the endpoint gets. */
      payload: unknown;
    };
  };
  /** Send all failed messages to a webhook endpoint again */
  "/v2/workspace/advancedwebhook/deliveries/recover": {
    request: {
      endpointId: string;
      /** Time of the oldest message, in milliseconds since the epoch. */
      since: number;
    };
    response: {
      /** Number of messages. */
      count: number;
    };
  };
  /** Send a message to a webhook endpoint again */
  "/v2/workspace/advancedwebhook/deliveries/retry": {
    request: {
      endpointId: string;
      deliveryId: string;
    };
    response: {
      deliveryId: string;
      status: "pending";
    };
  };
  /** Create a webhook endpoint */
  "/v2/workspace/advancedwebhook/endpoints/create": {
    request: {
      /** https URL. A user name and password in it are sent as HTTP Basic authentication. */
      url: string;
      description?: string | undefined;
      /** Names of the events that are sent. Without it all are. */
      filterTypes?: Array<"comment_annotation.add" | "comment_annotation.status_change" | "comment_annotation.assign" | "comment_annotation.priority_change" | "comment_annotation.suggestion_accept" | "comment_annotation.suggestion_reject" | "comment_annotation.custom_list_change" | "comment_annotation.subscribe" | "comment_annotation.unsubscribe" | "comment_annotation.accept" | "comment_annotation.reject" | "comment_annotation.approve" | "comment.add" | "comment.update" | "comment.delete" | "comment.reaction_add" | "comment.reaction_delete" | "crdt.update_data" | "recorder.done" | "message.attempt.exhausted"> | undefined;
      /** IDs of organizations and documents whose events are sent. Without it all are. */
      channels?: Array<string> | undefined;
      /** Whether nothing is sent to the endpoint. */
      disabled?: boolean | undefined;
      /** Maximum number of attempts a second. */
      rateLimit?: number | undefined;
      uid?: string | undefined;
      /** Texts of the caller, which the service only stores. */
      metadata?: {
        [id: string]: string;
      } | undefined;
    };
    response: WebhookEndpoint;
  };
  /** Delete a webhook endpoint */
  "/v2/workspace/advancedwebhook/endpoints/delete": {
    request: {
      endpointId: string;
    };
    response: {
      endpointId: string;
      deleted: boolean;
    };
  };
  /** List webhook endpoints */
  "/v2/workspace/advancedwebhook/endpoints/get": {
    request: {
      limit?: number | undefined;
      /** `iterator` or `prevIterator` of a response, unchanged. */
      iterator?: string | undefined;
    };
    response: {
      endpoints: Array<WebhookEndpoint>;
      /** Continues after this page. Null at the end. */
      iterator: string | null;
      /** Returns the page before this one. Null on the first page. */
      prevIterator: string | null;
      /** Whether this is the last page in the direction of the iterator. */
      done: boolean;
    };
  };
  /** Read the secret of a webhook endpoint */
  "/v2/workspace/advancedwebhook/endpoints/secret/get": {
    request: {
      endpointId: string;
    };
    response: {
      endpointId: string;
      /** `whsec_` and the base64 of 24 bytes. */
      secret: string;
    };
  };
  /** Replace the secret of a webhook endpoint */
  "/v2/workspace/advancedwebhook/endpoints/secret/rotate": {
    request: {
      endpointId: string;
    };
    response: {
      endpointId: string;
      secret: string;
    };
  };
  /** Send a test event to a webhook endpoint */
  "/v2/workspace/advancedwebhook/endpoints/test": {
    request: {
      endpointId: string;
    };
    response: {
      deliveryId: string;
      status: "pending";
    };
  };
  /** Update a webhook endpoint */
  "/v2/workspace/advancedwebhook/endpoints/update": {
    request: {
      endpointId: string;
      /** https URL. A user name and password in it are sent as HTTP Basic authentication. */
      url?: string | undefined;
      description?: string | null | undefined;
      filterTypes?: Array<"comment_annotation.add" | "comment_annotation.status_change" | "comment_annotation.assign" | "comment_annotation.priority_change" | "comment_annotation.suggestion_accept" | "comment_annotation.suggestion_reject" | "comment_annotation.custom_list_change" | "comment_annotation.subscribe" | "comment_annotation.unsubscribe" | "comment_annotation.accept" | "comment_annotation.reject" | "comment_annotation.approve" | "comment.add" | "comment.update" | "comment.delete" | "comment.reaction_add" | "comment.reaction_delete" | "crdt.update_data" | "recorder.done" | "message.attempt.exhausted"> | null | undefined;
      channels?: Array<string> | null | undefined;
      /** Whether nothing is sent to the endpoint. */
      disabled?: boolean | undefined;
      rateLimit?: number | null | undefined;
      metadata?: {
        [id: string]: string;
      } | null | undefined;
    };
    response: WebhookEndpoint;
  };
  /** Read the configuration of advanced webhooks */
  "/v2/workspace/advancedwebhookconfig/get": {
    request: object;
    response: AdvancedWebhookConfig;
  };
  /** Update the configuration of advanced webhooks */
  "/v2/workspace/advancedwebhookconfig/update": {
    request: {
      /** Whether advanced webhooks are sent. */
      isEnabled?: boolean | undefined;
      /** Whether bodies are encrypted. Requires `publicKey`. */
      encryptData?: boolean | undefined;
      /** Whether bodies are sent as base64 in `encodedPayload`. */
      encodeData?: boolean | undefined;
      /** RSA key that encrypts bodies: base64 of its SPKI or PKCS#1 form, without PEM lines. */
      publicKey?: string | undefined;
      /** Whether bodies omit comment texts, names, addresses and attachments. */
      enableDataProtection?: boolean | undefined;
    };
    response: AdvancedWebhookConfig;
  };
  /** Read the configuration of the workspace */
  "/v2/workspace/apikeyconfig/get": {
    request: object;
    response: WorkspaceConfig;
  };
  /** Update the configuration of the workspace */
  "/v2/workspace/apikeyconfig/update": {
    request: {
      defaultDocumentAccessType?: "public" | "organizationPrivate" | "restricted" | undefined;
      /** For your client. The service stores it, and hides private comments in any case. */
      enablePrivateComments?: boolean | undefined;
      /** Whether pages must call with user tokens: auth tokens then work without `Origin` only. */
      requireJwtToken?: boolean | undefined;
      /** Whether the first user token with a permission on an organization makes the user its editor. */
      requireAutoOrgUser?: boolean | undefined;
      /** Whether users see only the records of whose `context.access` they hold every pair. */
      isContextEnabled?: boolean | undefined;
      /** Whether requests with user tokens return the email addresses of users, such as authors. */
      showUserEmails?: boolean | undefined;
      /** Minutes of editing after which a collaborative document gets an automatic version; 0 for none. */
      automaticVersionMinutes?: number | undefined;
      /** Days for which the last automatic version of each day is kept. */
      automaticVersionDays?: number | undefined;
    };
    response: {
      defaultDocumentAccessType?: "public" | "organizationPrivate" | "restricted";
      /** For your client. The service stores it, and hides private comments in any case. */
      enablePrivateComments?: boolean;
      /** Whether pages must call with user tokens: auth tokens then work without `Origin` only. */
      requireJwtToken?: boolean;
      /** Whether the first user token with a permission on an organization makes the user its editor. */
      requireAutoOrgUser?: boolean;
      /** Whether users see only the records of whose `context.access` they hold every pair. */
      isContextEnabled?: boolean;
      /** Whether requests with user tokens return the email addresses of users, such as authors. */
      showUserEmails?: boolean;
      /** Minutes of editing after which a collaborative document gets an automatic version; 0 for none. */
      automaticVersionMinutes?: number;
      /** Days for which the last automatic version of each day is kept. */
      automaticVersionDays?: number;
    };
  };
  /** Read the audit log */
  "/v2/workspace/audit/get": {
    request: {
      actions?: Array<"activity_config.update" | "api_key_config.update" | "auth_token.add" | "auth_token.delete" | "auth_token.reset" | "document.delete" | "document.migrate" | "document.move" | "document_access.update" | "domain.add" | "domain.delete" | "email_config.update" | "folder.delete" | "folder.move" | "folder_access.update" | "notification_config.update" | "organization.delete" | "organization_access.update" | "permission.add" | "permission.remove" | "secret.rotate" | "session.begin" | "session.end" | "token_issuer_config.update" | "user.add" | "user.delete" | "user.update" | "user_data.delete" | "user_token.revoke" | "webhook_config.update" | "webhook_endpoint.add" | "webhook_endpoint.delete" | "webhook_endpoint.update" | "webhook_secret.rotate" | "workspace.add" | "workspace.backup" | "workspace.restore" | "workspace.update"> | undefined;
      actorName?: string | undefined;
      /** Earliest time, in milliseconds since the epoch. */
      from?: number | undefined;
      /** Time before which the records are, in milliseconds since the epoch. */
      to?: number | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<AuditEntry>;
  };
  /** Replace the auth token of the request */
  "/v2/workspace/authtoken/reset": {
    request: {
      apiKey: string;
    };
    response: {
      apiKey: string;
      newAuthToken: {
        token: string;
        name: string;
        /** Always empty: allowed domains belong to the workspace. */
        domains: Array<string>;
      };
    };
  };
  /** Create an auth token */
  "/v2/workspace/authtokens/add": {
    request: {
      name: string;
      /** What the token allows: `read` data, `write` data, and `admin` (tokens, sessions, settings, the audit log, the outbox and the deletion of users). */
      scopes?: Array<"read" | "write" | "admin"> | undefined;
      /** Milliseconds since the epoch, in the future. Without it the token does not expire. */
      expiresAt?: number | undefined;
    };
    response: {
      id: string;
      name: string;
      /** What the token allows: `read` data, `write` data, and `admin` (tokens, sessions, settings, the audit log, the outbox and the deletion of users). */
      scopes: Array<"read" | "write" | "admin">;
      expiresAt: number | null;
      authToken: string;
    };
  };
  /** Revoke auth tokens */
  "/v2/workspace/authtokens/delete": {
    request: {
      tokenIds: Array<string>;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Read the auth tokens of the workspace */
  "/v2/workspace/authtokens/get": {
    request: {
      apiKey?: string | undefined;
      /** Adds the last 1,000 revoked tokens, with `revokedAt`. */
      includeRevoked?: boolean | undefined;
    };
    response: {
      apiKey: string;
      authTokens: Array<AuthToken>;
    };
  };
  /** Read documents of all organizations with their statistics */
  "/v2/workspace/documents/figures/get": {
    request: {
      search?: string | undefined;
      disabled?: boolean | undefined;
      orderBy?: "organization" | "id" | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      documents: Array<{
        organizationId: string;
        id: string;
        /** Empty until it is set. */
        documentName: string;
        /** Missing outside of any folder. */
        folderId?: string;
        disabled: boolean;
        /** Milliseconds since the epoch. */
        createdAt: number;
        annotations: number;
        /** Users of the document. */
        users: number;
        /** Stored bytes of its collaborative documents: their states, updates that are not merged, versions. */
        contentBytes: number;
        lastActivity: number | null;
      }>;
      totalCount: number;
    };
  };
  /** Allow domains */
  "/v2/workspace/domains/add": {
    request: {
      domains: Array<string>;
    };
    response: {
      /** Hosts, or `*.` in front of one. */
      domainsAdded: Array<string>;
    };
  };
  /** Allow domains */
  "/v1/workspace/domains/add": Api["/v2/workspace/domains/add"];
  /** Delete allowed domains */
  "/v2/workspace/domains/delete": {
    request: {
      domains: Array<string>;
    };
    response: {
      /** Hosts, or `*.` in front of one. */
      domainsRemoved: Array<string>;
    };
  };
  /** Delete allowed domains */
  "/v1/workspace/domains/delete": Api["/v2/workspace/domains/delete"];
  /** Read the allowed domains */
  "/v2/workspace/domains/get": {
    request: object;
    response: {
      /** Hosts, or `*.` in front of one. */
      allowedDomains: Array<string>;
      /** Hosts, or `*.` in front of one. */
      domains: Array<string>;
    };
  };
  /** Read the allowed domains */
  "/v1/workspace/domains/get": Api["/v2/workspace/domains/get"];
  /** Send a login link to a workspace's owner */
  "/v2/workspace/email/send-login-link": {
    request: {
      /** Address of the owner, compared case-insensitively for A to Z. */
      email: string;
      /** Page to continue on after signing in; the default is the console. */
      continueUrl?: string | undefined;
    };
    response: null;
  };
  /** Send a test mail */
  "/v2/workspace/email/send-test-mail": {
    request: {
      /** Recipient of the mail. */
      email: string;
    };
    response: {
      success: boolean;
      message: string;
      /** Destination of the mail: the workspace's provider, the server of `SMTP_URL`, or the outbox. */
      route: "workspace" | "server" | "outbox";
    };
  };
  /** Read the email configuration */
  "/v2/workspace/emailconfig/get": {
    request: object;
    response: EmailConfig;
  };
  /** Update the email configuration */
  "/v2/workspace/emailconfig/update": {
    request: {
      /** Whether mails are sent with these settings. */
      useEmailService?: boolean | undefined;
      emailServiceConfig?: {
        /** Secret API key of the provider. Empty if none is set. */
        apiKey?: string;
        /** Provider. `default` is the mail server of the service. */
        type?: "default" | "sendgrid" | "postmark" | "resend" | "mailgun" | "ses" | "smtp";
        /** Sender address. Empty if none is set. */
        fromEmail?: string;
        /** Sender display name. */
        fromCompany?: string;
        /** Stored for the caller and not used. */
        commentTemplateId?: string;
        /** Stored for the caller and not used. */
        tagTemplateId?: string;
        /** Booleans by name, at most 100. */
        triggers?: {
          [id: string]: boolean;
        };
      } | undefined;
    };
    response: null;
  };
  /** List the mails and what became of them */
  "/v2/workspace/mails/get": {
    request: {
      organizationId?: string | undefined;
      userId?: string | undefined;
      /** `queued`: waits for its first attempt. `deferred`: an attempt failed, and another one follows. `sent`: the mail server accepted it, or it is in the outbox. `rejected`: the mail server refused it for good, or a test mail at its only attempt. `uncertain`: the connection or the process ended during an attempt, and it is not repeated. `expired`: given up after three days of attempts, a login link after 15 minutes. `canceled`: it was not to be sent any more. */
      state?: "queued" | "deferred" | "sent" | "rejected" | "uncertain" | "expired" | "canceled" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<MailDelivery>;
  };
  /** Read the configuration of notifications */
  "/v2/workspace/notificationconfig/get": {
    request: object;
    response: NotificationConfig;
  };
  /** Update the configuration of notifications */
  "/v2/workspace/notificationconfig/update": {
    request: {
      /** Whether comments notify users at all. */
      useNotificationService?: boolean | undefined;
      notificationServiceConfig?: {
        /** Switches in `comment`, or by the names of their events, such as `comment.add`. */
        triggers?: {
          comment?: {
            newlyAdded?: boolean;
            added?: boolean;
            /** For users whom an update of a comment tags. */
            updated?: boolean;
            statusChanged?: boolean;
            assigned?: boolean;
            priorityChanged?: boolean;
          };
          "comment_annotation.add"?: boolean;
          "comment.add"?: boolean;
          "comment.update"?: boolean;
          "comment_annotation.status_change"?: boolean;
          "comment_annotation.assign"?: boolean;
          "comment_annotation.priority_change"?: boolean;
        };
        delayConfig?: {
          isEnabled?: boolean;
          /** At most 180 days. */
          delaySeconds?: number;
        };
        batchConfig?: {
          document?: {
            isEnabled?: boolean;
            /** At most 7 days. */
            batchWindowSeconds?: number;
            /** Number that ends a window early. */
            maxActivities?: number;
          };
          user?: {
            isEnabled?: boolean;
            /** At most 7 days. */
            batchWindowSeconds?: number;
            /** Number that ends a window early. */
            maxActivities?: number;
          };
        };
      } | undefined;
    };
    response: NotificationConfig;
  };
  /** Read organizations with their statistics */
  "/v2/workspace/organizations/get": {
    request: {
      search?: string | undefined;
      disabled?: boolean | undefined;
      orderBy?: "id" | "name" | "createdAt" | "users" | "documents" | "lastActivityAt" | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      organizations: Array<OrganizationStatistics>;
      totalCount: number;
    };
  };
  /** List the mails in the outbox */
  "/v2/workspace/outbox/get": {
    request: {
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<MailSummary>;
  };
  /** Read a mail in the outbox */
  "/v2/workspace/outbox/mails/get": {
    request: {
      mailId: string;
    };
    response: Mail;
  };
  /** Read the statistics of the workspace */
  "/v2/workspace/overview/get": {
    request: {
      days?: number | undefined;
      /** Name in the IANA database, such as `Europe/Berlin`. */
      timeZone?: string | undefined;
    };
    response: Overview;
  };
  /** Read the request log */
  "/v2/workspace/requests/get": {
    request: {
      operation?: string | undefined;
      statuses?: Array<"OK" | "ITEMS_FAILED" | "INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "PERMISSION_DENIED" | "NOT_FOUND" | "ALREADY_EXISTS" | "RESOURCE_EXHAUSTED" | "INTERNAL" | "UNAVAILABLE"> | undefined;
      requestId?: string | undefined;
      authTokenId?: string | undefined;
      organizationId?: string | undefined;
      /** Earliest time, in milliseconds since the epoch. */
      from?: number | undefined;
      /** Time before which the records are, in milliseconds since the epoch. */
      to?: number | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<LoggedRequest>;
  };
  /** Read the error rate and the latency of requests */
  "/v2/workspace/requests/statistics/get": {
    request: {
      operation?: string | undefined;
      authTokenId?: string | undefined;
      organizationId?: string | undefined;
      /** Earliest time, in milliseconds since the epoch. */
      from?: number | undefined;
      /** Time before which the records are, in milliseconds since the epoch. */
      to?: number | undefined;
    };
    response: {
      requests: number;
      /** Requests whose status is not `OK`. */
      errors: number;
      /** Median of the durations; null without requests. */
      medianMs: number | null;
      /** 95th percentile of the durations; null without requests. */
      p95Ms: number | null;
      /** Oldest first; empty without requests. */
      intervals: Array<{
        /** Milliseconds since the epoch. */
        startsAt: number;
        /** Milliseconds since the epoch. */
        endsAt: number;
        requests: number;
        /** Requests whose status is not `OK`. */
        errors: number;
      }>;
      /** Callers that have reached limits, those with the most rejected requests first; 100 at most. */
      limits: Array<{
        /** Limit that the caller has reached. */
        limit: string;
        /** Null for a backend. */
        userId: string | null;
        /** Null for a user. */
        authTokenId: string | null;
        requests: number;
        /** Milliseconds since the epoch. */
        lastAt: number;
      }>;
    };
  };
  /** Read for how long data is kept */
  "/v2/workspace/retention/get": {
    request: object;
    response: Retention;
  };
  /** Search organizations, users and documents */
  "/v2/workspace/search/get": {
    request: {
      search: string;
      limit?: number | undefined;
    };
    response: {
      organizations: Array<{
        id: string;
        organizationName: string;
      }>;
      users: Array<{
        organizationId: string;
        userId: string;
        name?: string;
        email?: string;
      }>;
      documents: Array<{
        organizationId: string;
        id: string;
        documentName: string;
      }>;
    };
  };
  /** End console sessions of the workspace's owner */
  "/v2/workspace/sessions/delete": {
    request: {
      sessionIds?: Array<string> | undefined;
    };
    response: {
      [id: string]: ItemResult;
    };
  };
  /** Read the console sessions of the workspace's owner */
  "/v2/workspace/sessions/get": {
    request: object;
    response: Array<Session>;
  };
  /** Read the configuration of the token issuer */
  "/v2/workspace/tokenissuerconfig/get": {
    request: object;
    response: TokenIssuerConfig;
  };
  /** Update the configuration of the token issuer */
  "/v2/workspace/tokenissuerconfig/update": {
    request: {
      /** Whether tokens of the issuer are accepted. */
      isEnabled?: boolean | undefined;
      /** The claim `iss` of the tokens, compared character by character. */
      issuer?: string | undefined;
      /** URL of the issuer's signing keys, a JSON Web Key Set. */
      jwksUrl?: string | undefined;
      /** Who the tokens must be for. */
      audience?: string | undefined;
      /** Claim that has the audience. `azp` suits issuers whose tokens have no `aud`. */
      audienceClaim?: "aud" | "azp" | undefined;
      /** The role on the organizations, by the role of the issuer. The highest of several counts. */
      roles?: {
        [id: string]: "viewer" | "commenter" | "editor" | "moderator";
      } | undefined;
      /** The role of users without any of `roles`. */
      defaultRole?: "viewer" | "commenter" | "editor" | "moderator" | undefined;
      claims?: {
        /** The ID of the user. `sub` before the first update. */
        userId?: string;
        /** The name of the user. `name` before the first update. */
        name?: string;
        /** The email address of the user. `email` before the first update. */
        email?: string;
        /** The URL of the user's photo. `picture` before the first update. */
        photoUrl?: string;
        /** The ID of an organization, or a list of IDs. Without it, tokens grant nothing. */
        organizations?: string;
        /** A role of the issuer, or a list of roles, which `roles` translates. */
        roles?: string;
      } | undefined;
    };
    response: TokenIssuerConfig;
  };
  /** Read users of all organizations with their statistics */
  "/v2/workspace/users/figures/get": {
    request: {
      search?: string | undefined;
      orderBy?: "organization" | "id" | undefined;
      order?: "asc" | "desc" | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: {
      users: Array<{
        organizationId: string;
        userId: string;
        name?: string;
        email?: string;
        accessRole?: "viewer" | "commenter" | "editor" | "moderator";
        /** Whether it is a user of the organization itself. */
        isInOrganization: boolean;
        documents: number;
        lastActivityAt: number | null;
      }>;
      totalCount: number;
    };
  };
  /** Find a user in all organizations */
  "/v2/workspace/users/get": {
    request: {
      userId?: string | undefined;
      /** Email address; empty if there is none. White space around it is removed. */
      email?: string | undefined;
      pageSize?: number | undefined;
      /** Page token of the previous response, unchanged. */
      pageToken?: string | undefined;
    };
    response: Array<{
      organizationId: string;
      /** Further fields are the metadata as sent. */
      user: UserRecord;
    }>;
  };
  /** Read the configuration of basic webhooks */
  "/v2/workspace/webhookconfig/get": {
    request: object;
    response: WebhookConfig;
  };
  /** Update the configuration of basic webhooks */
  "/v2/workspace/webhookconfig/update": {
    request: {
      /** Whether basic webhooks are sent. */
      useWebhookService?: boolean | undefined;
      webhookServiceConfig?: {
        /** Sent as `Authorization: Basic …`. Empty if none is set. */
        authToken?: string;
        /** Receives events as they happen. Empty if none is set. */
        rawNotificationUrl?: string;
        /** Receives events with the preferences of their users and `accessDeniedUsers`. Empty if none is set. */
        processedNotificationUrl?: string;
        /** Whether bodies are sent as base64 in `encodedPayload`. */
        encodeData?: boolean;
        /** Whether bodies are encrypted. Requires `publicKey`. */
        encryptData?: boolean;
        /** RSA key that encrypts bodies: base64 of its SPKI or PKCS#1 form, without PEM lines. */
        publicKey?: string;
        /** Whether bodies omit comment texts, names, addresses and attachments. */
        enableDataProtection?: boolean;
        /** Switches by feature, such as `{ comment: { added: true } }`, or by flat names of events, such as `comment.add`, at most 100. */
        triggers?: {
          [id: string]: boolean | {
            [id: string]: boolean;
          };
        };
      } | undefined;
    };
    response: WebhookConfig;
  };
  /** Read the workspaces that the caller can access */
  "/v2/workspaces/get": {
    request: object;
    response: Array<Workspace>;
  };
}

/** Paths of the operations that users may call, each with the fields in which the requests of pages differ. */
export interface PageFields {
  "/v1/notifications/get": object;
  "/v2/activities/get": object;
  "/v2/auth/permissions/add": {
    required: "permissions.resources.id" | "permissions.resources.organizationId";
    absent: "permissions.resources.context";
  };
  "/v2/auth/permissions/explain": {
    required: "documentId";
    absent: "folderId";
  };
  "/v2/auth/permissions/get": {
    required: "documentIds";
    absent: "folderIds";
  };
  "/v2/auth/permissions/remove": {
    required: "permissions.resources.id" | "permissions.resources.organizationId";
    absent: "permissions.resources.context";
  };
  "/v2/commentannotations/add": {
    optional: "commentAnnotations.commentData.from" | "commentAnnotations.comments.from";
    absent: "commentAnnotations.assignedTo.*" | "commentAnnotations.assignedTo.name" | "commentAnnotations.assignedTo.email" | "commentAnnotations.createdAt" | "commentAnnotations.lastUpdated" | "commentAnnotations.commentData.taggedUserContacts.contact" | "commentAnnotations.commentData.taggedUserGroups.userIds" | "commentAnnotations.commentData.isCommentResolverUsed" | "commentAnnotations.commentData.isCommentTextAvailable" | "commentAnnotations.commentData.createdAt" | "commentAnnotations.commentData.lastUpdated" | "commentAnnotations.commentData.agent" | "commentAnnotations.comments.taggedUserContacts.contact" | "commentAnnotations.comments.taggedUserGroups.userIds" | "commentAnnotations.comments.isCommentResolverUsed" | "commentAnnotations.comments.isCommentTextAvailable" | "commentAnnotations.comments.createdAt" | "commentAnnotations.comments.lastUpdated" | "commentAnnotations.comments.agent" | "verifyUserPermissions";
  };
  "/v1/commentannotations/add": PageFields["/v2/commentannotations/add"];
  "/v2/commentannotations/comments/add": {
    optional: "commentData.from" | "comments.from";
    absent: "commentData.taggedUserContacts.contact" | "commentData.taggedUserGroups.userIds" | "commentData.isCommentResolverUsed" | "commentData.isCommentTextAvailable" | "commentData.createdAt" | "commentData.lastUpdated" | "commentData.agent" | "comments.taggedUserContacts.contact" | "comments.taggedUserGroups.userIds" | "comments.isCommentResolverUsed" | "comments.isCommentTextAvailable" | "comments.createdAt" | "comments.lastUpdated" | "comments.agent" | "verifyUserPermissions";
  };
  "/v1/commentannotations/comments/add": PageFields["/v2/commentannotations/comments/add"];
  "/v2/commentannotations/comments/delete": object;
  "/v1/commentannotations/comments/delete": PageFields["/v2/commentannotations/comments/delete"];
  "/v2/commentannotations/comments/get": object;
  "/v1/commentannotations/comments/get": PageFields["/v2/commentannotations/comments/get"];
  "/v2/commentannotations/comments/update": {
    absent: "updatedData.taggedUserContacts.contact" | "updatedData.taggedUserGroups.userIds" | "updatedData.isCommentResolverUsed" | "updatedData.isCommentTextAvailable" | "updatedData.createdAt" | "updatedData.lastUpdated" | "updatedData.from";
  };
  "/v1/commentannotations/comments/update": PageFields["/v2/commentannotations/comments/update"];
  "/v2/commentannotations/count/get": {
    optional: "userId";
  };
  "/v1/commentannotations/count/get": PageFields["/v2/commentannotations/count/get"];
  "/v2/commentannotations/delete": {
    absent: "agentId" | "agentSuggestions" | "agentUrls";
  };
  "/v1/commentannotations/delete": PageFields["/v2/commentannotations/delete"];
  "/v2/commentannotations/get": object;
  "/v1/commentannotations/get": PageFields["/v2/commentannotations/get"];
  "/v2/commentannotations/read": {
    optional: "userId";
  };
  "/v2/commentannotations/update": {
    required: "updatedData";
    absent: "updatedData.assignedTo.*" | "updatedData.assignedTo.name" | "updatedData.assignedTo.email" | "updatedData.from" | "updatedData.statusUpdatedByUserId" | "updatedData.resolvedByUserId" | "updatedData.readByUserIds" | "updateUsers";
  };
  "/v1/commentannotations/update": PageFields["/v2/commentannotations/update"];
  "/v2/crdt/get": object;
  "/v2/crdt/schema/get": object;
  "/v2/crdt/schema/update": object;
  "/v2/crdt/versions/add": object;
  "/v2/crdt/versions/compare": object;
  "/v2/crdt/versions/delete": object;
  "/v2/crdt/versions/get": object;
  "/v2/crdt/versions/list": object;
  "/v2/crdt/versions/restore": object;
  "/v2/crdt/versions/update": object;
  "/v2/events/get": object;
  "/v2/files/add": object;
  "/v2/livestate/broadcast": object;
  "/v1/livestate/broadcast": PageFields["/v2/livestate/broadcast"];
  "/v2/livestate/get": object;
  "/v2/notifications/archive": {
    optional: "userId";
  };
  "/v2/notifications/config/documents/get": {
    optional: "userId";
  };
  "/v2/notifications/config/get": {
    optional: "userId";
  };
  "/v1/notifications/config/get": PageFields["/v2/notifications/config/get"];
  "/v2/notifications/config/set": {
    optional: "userIds";
  };
  "/v1/notifications/config/set": PageFields["/v2/notifications/config/set"];
  "/v2/notifications/count/get": {
    optional: "userIds";
  };
  "/v2/notifications/delete": object;
  "/v1/notifications/delete": PageFields["/v2/notifications/delete"];
  "/v2/notifications/get": object;
  "/v2/notifications/read": {
    optional: "userId";
  };
  "/v2/notifications/restore": {
    optional: "userId";
  };
  "/v2/organizations/documents/get": object;
  "/v1/organizations/documents/get": PageFields["/v2/organizations/documents/get"];
  "/v2/organizations/usergroups/get": {
    absent: "organizationUserGroupIds";
  };
  "/v2/presence/add": {
    optional: "users";
  };
  "/v2/presence/update": PageFields["/v2/presence/add"];
  "/v2/presence/broadcast": {
    optional: "userId";
  };
  "/v2/presence/delete": {
    optional: "userIds";
  };
  "/v2/presence/get": object;
  "/v2/reactions/add": {
    optional: "from";
  };
  "/v2/reactions/delete": {
    optional: "from";
  };
  "/v2/recordings/add": object;
  "/v2/recordings/delete": object;
  "/v2/recordings/get": object;
  "/v2/recordings/update": object;
  "/v2/users/get": {
    absent: "userIds" | "organizationUserGroupIds" | "folderId" | "allDocuments" | "groupByDocumentId";
  };
  "/v1/users/get": PageFields["/v2/users/get"];
}

/** Paths of the operations that users may call. */
export type PagePath = keyof PageFields;

