/** What to do about the stored secrets if their key is lost, as the end of a sentence. */
export const REMEDY_OF_LOST_KEY =
  "set the workspaces' provider keys and webhook auth tokens again, and rotate the secrets of webhook endpoints.";

/** Says that secrets are under no known key, and what to do. */
export function unreadableSecrets(count: number): { finding: string; remedy: string } {
  return {
    finding: `Stored secrets under none of the known keys: ${count}.`,
    remedy: `Add their key to SECRET_KEY_OLD. If the key is lost, ${REMEDY_OF_LOST_KEY}`,
  };
}
