import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { AnyApiRequest } from "../api/call.ts";
import type { OrganizationDocument } from "../api/records.ts";
import { useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { EmptyState } from "./EmptyState.tsx";
import { Pager } from "./Pager.tsx";
import { Panel } from "./Panel.tsx";
import { Time } from "./Time.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

const PAGE_SIZE = 50;

interface DocumentPanelProps {
  organizationId: string;
  title?: string;
  /** Shows only the documents directly in this folder; `root` is outside of any folder. */
  folderId?: string | undefined;
  /** A hint above the list, if it is not empty. */
  intro?: ReactNode;
  /** Returns the link target of a document; names are plain text if omitted. */
  linkTo?: (documentId: string) => string;
  /** Content below the name of each document. */
  children?: (document: OrganizationDocument) => ReactNode;
  /** A button beside the name of each document. */
  action?: (document: OrganizationDocument) => ReactNode;
}

/** The documents of an organization or folder, sorted by ID. */
export function DocumentPanel(props: DocumentPanelProps) {
  const { organizationId, title = "Documents", folderId, intro, linkTo, children, action } = props;
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/organizations/documents/get", {
    organizationId,
    folderId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const example: AnyApiRequest = {
    path: "/v2/organizations/documents/add",
    data: { organizationId, folderId, documents: [{ documentId: "contract-7", documentName: "Contract 7" }] },
  };
  return (
    <Panel
      title={title}
      apiQuery={apiQuery}
      isEmpty={(documents) => documents.length === 0}
      empty={
        folderId === undefined ? (
          <EmptyState example={example}>
            No documents yet. A document is created on its first write, or when your backend adds it:
          </EmptyState>
        ) : (
          <EmptyState example={example}>No documents here. Move one here, or let your backend add it:</EmptyState>
        )
      }
    >
      {(documents, { pageToken }) => (
        <>
          {intro && (
            <Text size="sm" mb="xs">
              {intro}
            </Text>
          )}
          <ul className="rows">
            {documents.map((document) => {
              const { id, documentName, lastActivity } = document;
              const name = <UntrustedText>{documentName || id}</UntrustedText>;
              return (
                <li key={id}>
                  <div>
                    {linkTo ? (
                      <Anchor component={Link} size="sm" data-opens href={linkTo(id)}>
                        {name}
                      </Anchor>
                    ) : (
                      <Text size="sm">{name}</Text>
                    )}
                    <Text size="xs" c="dimmed" component="div" className="details">
                      {documentName && <UntrustedText>{id}</UntrustedText>}
                      <span>
                        last activity <Time at={lastActivity} />
                      </span>
                    </Text>
                    {children?.(document)}
                  </div>
                  {action?.(document)}
                </li>
              );
            })}
          </ul>
          <Pager label="documents" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
