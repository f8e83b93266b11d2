import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useParameters } from "../address.ts";
import type { OrganizationDocument } from "../api/records.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Empty } from "./Empty.tsx";
import { Pager } from "./Pager.tsx";
import { Panel } from "./Panel.tsx";
import { Time } from "./Time.tsx";
import { Verbatim } from "./Verbatim.tsx";

const PAGE_SIZE = 50;

interface ChooseDocumentProps {
  organizationId: string;
  /** What the page does with the one that is chosen. */
  children: ReactNode;
}

/** The documents of an organization, each a way to this page with the address's parameter `document` set. */
export function ChooseDocument({ organizationId, children }: ChooseDocumentProps) {
  const { get, link } = useParameters();
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
          <Text size="sm" mb="xs">
            {children}
          </Text>
          <ul className="rows">
            {documents.map(({ id, documentName, lastActivity }) => (
              <li key={id}>
                <div>
                  <Anchor
                    component={Link}
                    size="sm"
                    href={link({ document: id, editor: undefined, view: undefined, page: undefined })}
                  >
                    <Verbatim>{documentName || id}</Verbatim>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    {documentName && <Verbatim>{id}</Verbatim>}
                    <span>
                      last activity <Time at={lastActivity} />
                    </span>
                  </Text>
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
