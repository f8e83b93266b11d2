import { Badge, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { Json } from "../../components/Code.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { exactTime } from "../../components/exact-time.ts";
import { Loading } from "../../components/Panel.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import type { Delivery } from "./delivery.ts";

type Attempt = Delivery["attempts"][number];

interface DeliveryProps {
  endpointId: string;
  delivery: Delivery;
  isDisabled: boolean;
}

/** A delivery with its attempts, which is sent again, and whose payload is shown on request. */
export function DeliveryRow({ endpointId, delivery, isDisabled }: DeliveryProps) {
  const { deliveryId, event, status, createdAt, nextAttemptAt, attempts } = delivery;
  const again = useApiMutation("/v2/workspace/advancedwebhook/deliveries/retry");
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <li>
      <div className="wide">
        <Text size="sm" component="div">
          {event}: <Status status={status} hasFailed={attempts.length > 0 && status === "pending"} />
        </Text>
        <Text size="xs" c="dimmed" component="div" className="details">
          <span>created {exactTime(Date.parse(createdAt))}</span>
          {status === "pending" && nextAttemptAt !== null && (
            <span>
              next attempt <Time at={Date.parse(nextAttemptAt)} />
            </span>
          )}
        </Text>
        {attempts.toReversed().map((attempt) => (
          <Text key={attempt.attemptedAt} size="xs" c="dimmed" component="div" className="details">
            <span>{exactTime(Date.parse(attempt.attemptedAt))}</span>
            <span>{toOutcome(attempt)}</span>
            {attempt.response !== "" && <UntrustedText>{attempt.response}</UntrustedText>}
          </Text>
        ))}
        {again.error && <ErrorMessage error={again.error} />}
        <Button
          size="compact-xs"
          variant="default"
          mt={4}
          aria-expanded={isOpen}
          onClick={toggle}
          aria-label={`${isOpen ? "Hide" : "View"} payload of ${event} ${deliveryId}`}
        >
          {isOpen ? "Hide payload" : "View payload"}
        </Button>
        {isOpen && <Payload endpointId={endpointId} deliveryId={deliveryId} />}
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

function Status({ status, hasFailed }: { status: Delivery["status"]; hasFailed: boolean }) {
  return (
    <Badge
      variant="default"
      tt="none"
      className="outcome"
      data-failed={status === "failed" || hasFailed}
      data-succeeded={status === "delivered"}
    >
      {status}
    </Badge>
  );
}

/** The payload that an attempt sends now. */
function Payload({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const path = "/v2/workspace/advancedwebhook/deliveries/payload/get";
  const { query, error } = useApiQuery(path, { endpointId, deliveryId });
  if (error) return <ErrorMessage error={error} onRetry={() => void query.refetch()} />;
  return query.data ? <Json label="Payload" value={query.data.data.payload} /> : <Loading lines={2} />;
}

function toOutcome({ httpStatus, latencyMs, error }: Attempt): string {
  return httpStatus === null ? (error ?? "no response") : `HTTP ${httpStatus} in ${latencyMs} ms`;
}
