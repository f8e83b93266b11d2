import { Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Loading } from "../../components/Panel.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeliveryRow } from "./DeliveryRow.tsx";
import { RecoverDeliveries } from "./RecoverDeliveries.tsx";

const PATH = "/v2/workspace/advancedwebhook/deliveries/get";
const PAGE_SIZE = 20;
/** Intervals at which the list is read while an attempt is about to be made, and while one follows later. */
const [SOON_MS, LATER_MS] = [1_000, 10_000];
const STATUSES = ["pending", "delivered", "failed", "canceled"] as const;

/** What was sent to an endpoint, where messages are sent again and a test event is sent. */
export function Deliveries({ endpointId, isDisabled }: { endpointId: string; isDisabled: boolean }) {
  const { get, change } = useUrlParameters();
  const [iterator, chosen] = [get("deliveries"), get("status")];
  const status = STATUSES.find((known) => known === chosen);
  const request = {
    endpointId,
    limit: PAGE_SIZE,
    ...(status && { statuses: [status] }),
    ...(iterator && { iterator }),
  };
  const { query, error } = useApiQuery(PATH, request, {
    refetchMs: (data) => {
      const next = data?.deliveries.flatMap(({ nextAttemptAt }) => (nextAttemptAt ? [Date.parse(nextAttemptAt)] : []));
      if (!next?.length) return false;
      return Math.min(...next) < Date.now() + LATER_MS ? SOON_MS : LATER_MS;
    },
  });
  const test = useApiMutation("/v2/workspace/advancedwebhook/endpoints/test");
  const [recovered, setRecovered] = useState<number>();
  const deliveries = query.data?.data.deliveries;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs" align="flex-end">
        <NativeSelect
          size="xs"
          label="Status of the delivery"
          value={status ?? ""}
          data={[{ value: "", label: "Any" }, ...STATUSES]}
          onChange={({ currentTarget: { value } }) => change({ status: value || undefined }, { replace: true })}
        />
        <Group gap="xs">
          <RecoverDeliveries endpointId={endpointId} isDisabled={isDisabled} onDone={setRecovered} />
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
      </Group>
      <Text size="sm" role="status">
        {recovered !== undefined &&
          (recovered === 1 ? "1 delivery is sent again." : `${recovered} deliveries are sent again.`)}
      </Text>
      {test.error && <ErrorMessage error={test.error} />}
      {error && <ErrorMessage error={error} onRetry={() => void query.refetch()} />}
      {!deliveries && !error && <Loading />}
      {deliveries?.length === 0 && (
        <EmptyState>
          {status ? "No delivery has this status." : "No deliveries yet. Send a test event to check the endpoint."}
        </EmptyState>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul className="rows" aria-label="Deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.deliveryId}
              endpointId={endpointId}
              delivery={delivery}
              isDisabled={isDisabled}
            />
          ))}
        </ul>
      )}
      <Pager label="deliveries" name="deliveries" nextToken={query.data?.data.iterator ?? undefined} />
    </Stack>
  );
}
