import { Anchor, Badge, Button, Menu, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { formatShare, pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { RowMenu } from "../../components/RowMenu.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeleteEndpoint } from "./DeleteEndpoint.tsx";
import { EditEndpoint } from "./EditEndpoint.tsx";
import { EndpointDetail } from "./EndpointDetail.tsx";
import { EndpointSecret } from "./EndpointSecret.tsx";
import type { Endpoint } from "./endpoint-form.ts";

const PATH = "/v2/workspace/advancedwebhook/endpoints/get";
const FIGURES = "/v2/workspace/advancedwebhook/deliveries/figures/get";
const FIGURES_MS = 10_000;

type Figures = ResponseData<typeof FIGURES>[number];

type Dialog = { kind: "new" } | { kind: "edit" | "secret" | "delete"; endpoint: Endpoint };

/** The endpoints of advanced webhooks. The URL parameter `record` selects the one that the drawer shows. */
export function Endpoints() {
  const { get, change } = useUrlParameters();
  const [iterator, record] = [get("page"), get("record")];
  const apiQuery = useApiQuery(PATH, { ...(iterator !== undefined && { iterator }) });
  const figures = useApiQuery(FIGURES, {}, { refetchMs: FIGURES_MS }).query.data?.data;
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
                <Row
                  key={endpoint.id}
                  endpoint={endpoint}
                  figures={figures?.find(({ endpointId }) => endpointId === endpoint.id)}
                  onOpen={setDialog}
                />
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
        onClose={() => change({ record: undefined, status: undefined, deliveries: undefined }, { replace: true })}
      >
        {selected && <EndpointDetail endpoint={selected} />}
      </RecordDrawer>
      <Dialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  );
}

interface RowProps {
  endpoint: Endpoint;
  /** Counts of the deliveries; undefined while loading. */
  figures: Figures | undefined;
  onOpen: (dialog: Dialog) => void;
}

function Row({ endpoint, figures, onOpen }: RowProps) {
  const { link } = useUrlParameters();
  const { id, url, description, filterTypes, channels, rateLimit, disabled } = endpoint;
  return (
    <li>
      <div>
        <Anchor component={Link} href={link({ record: id })} size="sm" c="inherit" data-opens>
          <UntrustedText>{url}</UntrustedText>
        </Anchor>
        <Text size="xs" c="dimmed" component="div" className="details">
          <State isDisabled={disabled} figures={figures} />
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

/** Whether the deliveries to an endpoint arrive, the share that did, and when the last one failed. */
function State({ isDisabled, figures }: { isDisabled: boolean; figures: Figures | undefined }) {
  const { delivered = 0, failed = 0, failingSince = null, lastFailedAt = null } = figures ?? {};
  const total = delivered + failed;
  const result = failingSince !== null ? "failing" : delivered > 0 ? "working" : "no deliveries yet";
  const state = isDisabled ? "disabled" : result;
  return (
    <>
      <Badge
        size="sm"
        variant="default"
        tt="none"
        className="outcome"
        data-failed={state === "failing"}
        data-succeeded={state === "working"}
      >
        {state}
      </Badge>
      {total > 0 && (
        <span>
          {formatShare(delivered / total)} of {pluralize(total, "delivery", "deliveries")} arrived
        </span>
      )}
      {lastFailedAt !== null && (
        <span>
          last failure <Time at={Date.parse(lastFailedAt)} />
        </span>
      )}
    </>
  );
}

function Dialogs({ dialog, onClose }: { dialog: Dialog | undefined; onClose: () => void }) {
  if (dialog === undefined) return null;
  if (dialog.kind === "new") return <EditEndpoint onClose={onClose} />;
  const common = { endpoint: dialog.endpoint, onClose };
  if (dialog.kind === "edit") return <EditEndpoint {...common} />;
  return dialog.kind === "secret" ? <EndpointSecret {...common} /> : <DeleteEndpoint {...common} />;
}
