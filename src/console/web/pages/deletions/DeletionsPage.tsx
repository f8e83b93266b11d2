import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoMatch } from "../../components/NoMatch.tsx";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeletionSummary } from "./DeletionSummary.tsx";
import { ReceiptPage } from "./ReceiptPage.tsx";

/** Lists the deletions of users' data, or shows the receipt of the one that the URL selects. */
export default function DeletionsPage() {
  const jobId = useUrlParameters().get("job");
  return jobId === undefined ? <DeletionList /> : <ReceiptPage key={jobId} jobId={jobId} />;
}

function DeletionList() {
  const { get } = useUrlParameters();
  const userId = get("user");
  const request = { userId, pageSize: usePageSize(), pageToken: get("page") };
  const apiQuery = useApiQuery("/v2/users/data/deletions/get", request);
  return (
    <>
      <PageTitle title="Deletions">
        Deletions of users' data with their receipts. The IDs of the users are kept as long as the audit log.
      </PageTitle>
      <Filters label="Filters of deletions">
        <TextFilter label="User ID" name="user" />
      </Filters>
      <Panel
        title="Deletions"
        apiQuery={apiQuery}
        isEmpty={(deletions) => deletions.length === 0}
        empty={
          userId === undefined ? (
            <EmptyState>
              No user's data has been deleted. Open a user on the page People to delete their data.
            </EmptyState>
          ) : (
            <NoMatch filters={["user"]}>No deletion names this user.</NoMatch>
          )
        }
      >
        {(deletions, { pageToken }) => (
          <>
            <ul className="rows">
              {deletions.map((deletion) => (
                <li key={deletion.jobId}>
                  <DeletionSummary deletion={deletion} />
                </li>
              ))}
            </ul>
            <Pager hasSizes label="deletions" nextToken={pageToken} />
          </>
        )}
      </Panel>
    </>
  );
}
