/** Response of /v2/workspace/overview/get. */
export interface Overview {
  /** One entry per day without gaps, oldest first. */
  activitiesPerDay: ActivityDay[];
  organizations: number;
  documents: number;
  users: number;
  queuedJobs: number;
  databaseSizeBytes: number;
  setup: Setup;
}

export interface ActivityDay {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  total: number;
  featureTypes: Record<string, number>;
}

export interface Setup {
  hasSmtp: boolean;
  hasOwner: boolean;
  isActivityServiceEnabled: boolean;
  isEmailServiceEnabled: boolean;
  hasAllowedDomains: boolean;
  hasActivities: boolean;
  publicUrl: string | null;
}
