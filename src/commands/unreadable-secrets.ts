/** Says that secrets are under no known key, and what to do. */
export function unreadableSecrets(count: number): { finding: string; remedy: string } {
  return {
    finding: `Workspaces with secrets under none of the known keys: ${count}.`,
    remedy: "Add their key to SECRET_KEY_OLD, or set the provider keys of these workspaces again.",
  };
}
