/** The response of signing in. */
export interface SignedIn {
  continueUrl: string | null;
  /** Whether the browser may go there by itself. */
  isContinueUrlTrusted: boolean;
}
