/** What `doctor` has found. */
export interface Check {
  name: string;
  status: "ok" | "warning" | "error" | "skipped";
  finding: string;
  /** What the operator should do. */
  remedy?: string;
}
