/** Says that secrets are under no known key, and what to do. */
export function unreadableSecrets(count: number): { finding: string; remedy: string } {
  return {
    finding: `Stored secrets under none of the known keys: ${count}.`,
    remedy: "Add their key to SECRET_KEY_OLD, or set these secrets again.",
  };
}
