import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { OrganizationDocument } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { visible } from "../../components/visible.ts";

const PAGE_SIZE = 50;

/** Those that show something of one document. */
const PAGES = [
  { page: "activities", label: "Activities" },
  { page: "documents", label: "Content" },
  { page: "presence", label: "Presence" },
  { page: "notifications", label: "Notifications" },
];

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
                  <Text size="sm">
                    <Verbatim>{documentName || id}</Verbatim>
                  </Text>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    {documentName && <Verbatim>{id}</Verbatim>}
                    <span>
                      last activity <Time at={lastActivity} />
                    </span>
                  </Text>
                  <div className="details">
                    {PAGES.map(({ page, label }) => (
                      <Anchor
                        key={page}
                        component={Link}
                        size="sm"
                        href={`/${page}?${new URLSearchParams({ organization: organizationId, document: id })}`}
                        aria-label={visible(`${label} of ${documentName || id}`)}
                      >
                        {label}
                      </Anchor>
                    ))}
                  </div>
                </div>
              </li>
            ))}
          </ul>
          <Pager label="documents" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
