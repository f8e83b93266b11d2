import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { AnyApiRequest } from "../api/call.ts";
import { useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { EmptyState } from "./EmptyState.tsx";
import { Pager } from "./Pager.tsx";
import { Panel } from "./Panel.tsx";
import { Time } from "./Time.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

const PAGE_SIZE = 50;

interface DocumentPickerProps {
  organizationId: string;
  /** A hint above the list. */
  children: ReactNode;
}

/** The documents of an organization by ID, each with a link to this page with the URL parameter `document` set. */
export function DocumentPicker({ organizationId, children }: DocumentPickerProps) {
  const { get, link } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/organizations/documents/get", {
    organizationId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const example: AnyApiRequest = {
    path: "/v2/organizations/documents/add",
    data: { organizationId, documents: [{ documentId: "contract-7", documentName: "Contract 7" }] },
  };
  return (
    <Panel
      title="Documents"
      apiQuery={apiQuery}
      isEmpty={(documents) => documents.length === 0}
      empty={
        <EmptyState example={example}>
          No documents yet. A document is created on its first write, or when your backend adds it:
        </EmptyState>
      }
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
                  <Anchor component={Link} size="sm" data-opens href={link({ document: id, page: undefined })}>
                    <UntrustedText>{documentName || id}</UntrustedText>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    {documentName && <UntrustedText>{id}</UntrustedText>}
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
