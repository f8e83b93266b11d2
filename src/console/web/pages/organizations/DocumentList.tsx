import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { OrganizationDocument } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";

const PAGE_SIZE = 50;

/** The documents of an organization, by id. */
export function DocumentList({ organizationId }: { organizationId: string }) {
  const { get } = useParameters();
  const asked = useAnswer<OrganizationDocument[]>("/v2/organizations/documents/get", {
    organizationId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const first = {
    path: "/v2/organizations/documents/add",
    data: { organizationId, documents: [{ documentId: "contract-7", documentName: "Contract 7" }] },
  };
  return (
    <Panel
      title="Documents"
      asked={asked}
      isEmpty={(documents) => documents.length === 0}
      empty={<Empty first={first}>A document comes to exist on its first write, or when your backend adds it:</Empty>}
    >
      {(documents, { pageToken }) => (
        <>
          <ul className="rows">
            {documents.map(({ id, documentName, lastActivity }) => (
              <li key={id}>
                <div>
                  <Text size="sm">{documentName || id}</Text>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    {documentName && <span>{id}</span>}
                    <span>
                      last activity <Time at={lastActivity} />
                    </span>
                  </Text>
                </div>
                <Anchor
                  component={Link}
                  size="sm"
                  href={`/activities?${new URLSearchParams({ organization: organizationId, document: id })}`}
                  aria-label={`Activities of ${documentName || id}`}
                >
                  Activities
                </Anchor>
              </li>
            ))}
          </ul>
          <Pager label="documents" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
