import type { ReactNode } from "react";
import { FactList } from "../../components/FactList.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { Deliveries } from "./Deliveries.tsx";
import type { Endpoint } from "./endpoint-form.ts";

/** The settings of an endpoint, and what was sent to it. */
export function EndpointDetail({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, filterTypes, channels, rateLimit, disabled, createdAt } = endpoint;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["URL", <UntrustedText key="url">{url}</UntrustedText>],
    ...(description ? [["Description", <UntrustedText key="description">{description}</UntrustedText>] as const] : []),
    ["State", disabled ? "Disabled" : "Enabled"],
    ["Events", filterTypes?.join(", ") ?? "all"],
    ["Channels", channels ? <UntrustedText key="channels">{channels.join(", ")}</UntrustedText> : "all"],
    ["Rate limit", rateLimit === null ? "none" : `${rateLimit} a second`],
    ["Created", <Time key="created" at={Date.parse(createdAt)} />],
    ["Endpoint ID", id],
  ];
  return (
    <>
      <FactList facts={facts} />
      <Deliveries endpointId={id} isDisabled={disabled} />
    </>
  );
}
