import { Anchor, Button, Menu, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { RowMenu } from "../../components/RowMenu.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeleteEndpoint } from "./DeleteEndpoint.tsx";
import { EditEndpoint } from "./EditEndpoint.tsx";
import { EndpointDetail } from "./EndpointDetail.tsx";
import { EndpointSecret } from "./EndpointSecret.tsx";
import type { Endpoint } from "./endpoint-form.ts";

const PATH = "/v2/workspace/advancedwebhook/endpoints/get";

type Dialog = { kind: "new" } | { kind: "edit" | "secret" | "delete"; endpoint: Endpoint };

/** The endpoints of advanced webhooks. The URL parameter `record` selects the one that the drawer shows. */
export function Endpoints() {
  const { get, change } = useUrlParameters();
  const [iterator, record] = [get("page"), get("record")];
  const apiQuery = useApiQuery(PATH, { ...(iterator !== undefined && { iterator }) });
  const [dialog, setDialog] = useState<Dialog>();
  const { data: response, isPlaceholderData } = apiQuery.query;
  const selected = response?.data.endpoints.find(({ id }) => id === record);
  return (
    <>
      <Panel
        title="Endpoints"
        apiQuery={apiQuery}
        actions={
          <Button size="compact-xs" onClick={() => setDialog({ kind: "new" })}>
            Create endpoint
          </Button>
        }
        isEmpty={({ endpoints }) => endpoints.length === 0}
        empty={<EmptyState>No endpoints. Create one for each URL of yours that receives events.</EmptyState>}
      >
        {({ endpoints, iterator: next }) => (
          <>
            <ul className="rows">
              {endpoints.map((endpoint) => (
                <Row key={endpoint.id} endpoint={endpoint} onOpen={setDialog} />
              ))}
            </ul>
            <Pager label="Endpoints" nextToken={next ?? undefined} />
          </>
        )}
      </Panel>
      <RecordDrawer
        title="Webhook endpoint"
        value={selected}
        isGone={record !== undefined && response !== undefined && !isPlaceholderData && !selected}
        onClose={() => change({ record: undefined }, { replace: true })}
      >
        {selected && <EndpointDetail endpoint={selected} />}
      </RecordDrawer>
      <Dialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  );
}

function Row({ endpoint, onOpen }: { endpoint: Endpoint; onOpen: (dialog: Dialog) => void }) {
  const { link } = useUrlParameters();
  const { id, url, description, filterTypes, channels, rateLimit, disabled } = endpoint;
  return (
    <li>
      <div>
        <Anchor component={Link} href={link({ record: id })} size="sm" c="inherit" data-opens>
          <UntrustedText>{url}</UntrustedText>
        </Anchor>
        <Text size="xs" c="dimmed" component="div" className="details">
          {disabled && <span>disabled</span>}
          {description && (
            <span>
              <UntrustedText>{description}</UntrustedText>
            </span>
          )}
          <span>{filterTypes ? filterTypes.join(", ") : "all events"}</span>
          {channels && <span>{pluralize(channels.length, "channel")}</span>}
          {rateLimit !== null && <span>at most {rateLimit} a second</span>}
        </Text>
      </div>
      <RowMenu name={url}>
        <Menu.Item onClick={() => onOpen({ kind: "edit", endpoint })}>Edit…</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: "secret", endpoint })}>Show secret</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: "delete", endpoint })}>Delete…</Menu.Item>
      </RowMenu>
    </li>
  );
}

function Dialogs({ dialog, onClose }: { dialog: Dialog | undefined; onClose: () => void }) {
  if (dialog === undefined) return null;
  if (dialog.kind === "new") return <EditEndpoint onClose={onClose} />;
  const common = { endpoint: dialog.endpoint, onClose };
  if (dialog.kind === "edit") return <EditEndpoint {...common} />;
  return dialog.kind === "secret" ? <EndpointSecret {...common} /> : <DeleteEndpoint {...common} />;
}
