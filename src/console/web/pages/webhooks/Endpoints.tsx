import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useApiQuery } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { Deliveries } from "./Deliveries.tsx";
import { EditEndpoint } from "./EditEndpoint.tsx";
import { EndpointSecret } from "./EndpointSecret.tsx";
import type { Endpoint } from "./endpoint-form.ts";

const PATH = "/v2/workspace/advancedwebhook/endpoints/get";

/** The endpoints of advanced webhooks. */
export function Endpoints() {
  const iterator = useUrlParameters().get("page");
  const apiQuery = useApiQuery(PATH, { ...(iterator !== undefined && { iterator }) });
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Panel
        title="Endpoints"
        apiQuery={apiQuery}
        actions={
          <Button size="compact-xs" onClick={open}>
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
                <Row key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
            <Pager label="Endpoints" nextToken={next ?? undefined} />
          </>
        )}
      </Panel>
      <EditEndpoint isOpen={isOpen} onClose={close} />
    </>
  );
}

function Row({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, filterTypes, channels, rateLimit, disabled } = endpoint;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <li className="buttons-below">
      <div>
        <Text size="sm">
          <UntrustedText>{url}</UntrustedText>
        </Text>
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
      <Group gap="xs">
        <Button size="compact-xs" variant="default" onClick={open} aria-label={revealBidiControls(`Edit… ${url}`)}>
          Edit…
        </Button>
        <Deliveries endpoint={endpoint} />
        <EndpointSecret endpoint={endpoint} />
        <ConfirmButton
          label="Delete…"
          target={url}
          title="Delete this endpoint?"
          action="Delete permanently"
          request={{ path: "/v2/workspace/advancedwebhook/endpoints/delete", data: { endpointId: id } }}
        >
          <Text size="sm">
            <UntrustedText>{url}</UntrustedText> receives no further events. Its secret is deleted, too.
          </Text>
        </ConfirmButton>
      </Group>
      <EditEndpoint endpoint={endpoint} isOpen={isOpen} onClose={close} />
    </li>
  );
}
