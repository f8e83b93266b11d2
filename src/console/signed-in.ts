/** The response of signing in. */
export interface SignedIn {
  continueUrl: string | null;
  /** Whether the browser may continue to the URL without asking the user. */
  isContinueUrlTrusted: boolean;
}
