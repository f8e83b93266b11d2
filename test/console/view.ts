export interface View {
  /** Path and query after the workspace ID. */
  path: string;
  heading: string;
  /** Title of the window; default: the heading. */
  title?: string;
  /** Texts about the stored data that the page shows. */
  shows: (string | RegExp)[];
  /** Paths of the page's API requests besides the list of workspaces: one for each panel or select. */
  requests: string[];
}
