/** What an auth token allows: reading data, writing data, and administration (tokens, settings, deletion of users). */
export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];
