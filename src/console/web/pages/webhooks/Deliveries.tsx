import { Group, Stack, Text } from "@mantine/core";
import type { ResponseData } from "../../api/call.ts";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Loading } from "../../components/Panel.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

const PATH = "/v2/workspace/advancedwebhook/deliveries/get";
const SHOWN = 20;
/** Interval at which the list is read while a message is on its way. */
const PENDING_MS = 1_000;

type Delivery = ResponseData<typeof PATH>["deliveries"][number];
type Attempt = Delivery["attempts"][number];

/** What was sent to an endpoint, where messages are sent again and a test event is sent. */
export function Deliveries({ endpointId, isDisabled }: { endpointId: string; isDisabled: boolean }) {
  const { query, error } = useApiQuery(
    PATH,
    { endpointId, limit: SHOWN },
    { refetchMs: (data) => (data?.deliveries.some(({ status }) => status === "pending") ? PENDING_MS : false) },
  );
  const test = useApiMutation("/v2/workspace/advancedwebhook/endpoints/test");
  const deliveries = query.data?.data.deliveries;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          The last {SHOWN} deliveries to this endpoint, newest first.
        </Text>
        <PendingButton
          size="compact-xs"
          variant="default"
          disabled={isDisabled}
          loading={test.isPending}
          onClick={() => test.mutate({ endpointId })}
        >
          Send a test event
        </PendingButton>
      </Group>
      {test.error && <ErrorMessage error={test.error} />}
      {error && <ErrorMessage error={error} onRetry={() => void query.refetch()} />}
      {!deliveries && !error && <Loading />}
      {deliveries?.length === 0 && <EmptyState>No deliveries yet. Send a test event to check the endpoint.</EmptyState>}
      {deliveries && deliveries.length > 0 && (
        <ul className="rows" aria-label="Deliveries">
          {deliveries.map((delivery) => (
            <Row key={delivery.deliveryId} endpointId={endpointId} delivery={delivery} isDisabled={isDisabled} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

function Row(props: { endpointId: string; delivery: Delivery; isDisabled: boolean }) {
  const { endpointId, delivery, isDisabled } = props;
  const { deliveryId, event, status, createdAt, nextAttemptAt, attempts } = delivery;
  const again = useApiMutation("/v2/workspace/advancedwebhook/deliveries/retry");
  const last = attempts.at(-1);
  return (
    <li>
      <div>
        <Text size="sm">
          {event}: {status}
        </Text>
        <Text size="xs" c="dimmed" component="div" className="details">
          <Time at={Date.parse(createdAt)} />
          {last && <span>{toOutcome(last)}</span>}
          {last && last.response !== "" && (
            <span>
              <UntrustedText>{last.response}</UntrustedText>
            </span>
          )}
          {attempts.length > 1 && <span>{attempts.length} attempts</span>}
          {status === "pending" && nextAttemptAt !== null && (
            <span>
              next attempt <Time at={Date.parse(nextAttemptAt)} />
            </span>
          )}
        </Text>
        {again.error && <ErrorMessage error={again.error} />}
      </div>
      <PendingButton
        size="compact-xs"
        variant="default"
        disabled={isDisabled}
        loading={again.isPending}
        onClick={() => again.mutate({ endpointId, deliveryId })}
        aria-label={`Send again ${event} ${deliveryId}`}
      >
        Send again
      </PendingButton>
    </li>
  );
}

function toOutcome({ httpStatus, latencyMs, error }: Attempt): string {
  return httpStatus === null ? (error ?? "no response") : `HTTP ${httpStatus} in ${latencyMs} ms`;
}
