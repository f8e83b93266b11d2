import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

type AddRequest = Api["/v2/recordings/add"]["request"];
type Filters = Partial<Api["/v2/recordings/get"]["request"]>;
export type RecordingRecord = Api["/v2/recordings/get"]["response"][number];

/** All fields that a recording can be given. */
export const FULL_RECORDING = {
  annotationId: "recording-1",
  type: "recorder" as const,
  from: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", photoUrl: "ada.png" },
  recordingType: "screen",
  mode: "floating",
  recordedTime: { duration: 90.5, display: "00:01:30" },
  displayName: "How clause 3 came about",
  attachments: [
    {
      attachmentId: 1,
      url: "https://files.example.com/recording-1.mp4",
      mimeType: "video/mp4",
      name: "recording-1.mp4",
      type: "mp4",
      size: 1_048_576,
    },
    { url: "s3://bucket/recording-1.vtt" },
  ],
};

/** Adds these recordings, or one for each ID, in one call. */
export function addRecordings(
  workspace: TestWorkspace,
  recordings: (AddRequest["recordings"][number] | string)[],
  scope: Partial<AddRequest> = {},
) {
  const given = recordings.map((item) => (typeof item === "string" ? { annotationId: item } : item));
  return workspace.data("/v2/recordings/add", {
    ...SCOPE,
    recordings: given,
    ...scope,
  });
}

/** Reads all pages. */
export async function readRecordingPages(
  workspace: TestWorkspace,
  filters: Filters = {},
): Promise<RecordingRecord[][]> {
  const pages: RecordingRecord[][] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: SCOPE.organizationId, ...filters, ...(pageToken && { pageToken }) };
    const page = await workspace.result("/v2/recordings/get", request);
    pages.push(page.data);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return pages;
}

/** Reads the recordings of all pages, newest first. */
export async function readRecordings(workspace: TestWorkspace, filters: Filters = {}): Promise<RecordingRecord[]> {
  return (await readRecordingPages(workspace, filters)).flat();
}

/** Reads the IDs of all pages, newest first. */
export async function readRecordingIds(workspace: TestWorkspace, filters: Filters = {}): Promise<string[]> {
  return (await readRecordings(workspace, filters)).map(({ annotationId }) => annotationId);
}
