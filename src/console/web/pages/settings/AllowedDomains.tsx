import { Button, Group, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useUrlParameters } from "../../url.ts";

/** More are found by the filter: the operation has no pages. */
const SHOWN = 100;

/** Whose pages may call the API from a browser. */
export function AllowedDomains() {
  const apiQuery = useApiQuery<{ domains: string[] }>("/v2/workspace/domains/get", {});
  return (
    <Panel title="Allowed domains" apiQuery={apiQuery}>
      {({ domains }) => (
        <>
          <AddDomain />
          {domains.length === 0 ? (
            <Text size="sm" mt="sm">
              No page may call the API from a browser. Backends need nothing here; allow a domain when your own pages
              are to call it.
            </Text>
          ) : (
            <DomainList domains={domains} />
          )}
        </>
      )}
    </Panel>
  );
}

function AddDomain() {
  const [domain, setDomain] = useState("");
  const { mutate, isPending, error, reset } = useApiMutation<object, { domains: string[] }>(
    "/v2/workspace/domains/add",
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({ domains: [domain.trim()] }, { onSuccess: () => setDomain("") });
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" mb="sm">
        <TextInput
          label="Domain"
          description="*.example.com stands for every name below example.com"
          placeholder="app.example.com"
          required
          withAsterisk={false}
          className="grow"
          value={domain}
          onChange={(event) => {
            setDomain(event.currentTarget.value);
            reset();
          }}
        />
        <Button type="submit" variant="default" loading={isPending}>
          Allow
        </Button>
      </Group>
      {/* Without its status: that a domain is allowed already is no fault of the service. */}
      {error && <ErrorMessage error={new Error(error.message)} />}
    </form>
  );
}

function DomainList({ domains }: { domains: string[] }) {
  const { get } = useUrlParameters();
  const wanted = get("domain")?.toLowerCase() ?? "";
  const found = domains.filter((domain) => domain.includes(wanted));
  return (
    <>
      {(domains.length > SHOWN || wanted) && (
        <search className="filters" aria-label="Which domains">
          <TextFilter label="With" name="domain" placeholder="Any part" />
        </search>
      )}
      <ul className="rows">
        {found.slice(0, SHOWN).map((domain) => (
          <li key={domain}>
            <Text size="sm">{domain}</Text>
            <ConfirmButton
              label="Remove…"
              what={domain}
              title={`Remove ${domain}?`}
              action="Remove"
              request={{ path: "/v2/workspace/domains/delete", data: { domains: [domain] } }}
            >
              <Text size="sm">
                What pages of {domain} ask for is refused, unless another domain of the list covers them. It can be
                added again.
              </Text>
            </ConfirmButton>
          </li>
        ))}
      </ul>
      {found.length === 0 && <Text size="sm">No allowed domain has that in it.</Text>}
      {found.length > SHOWN && (
        <Text size="sm" mt="sm">
          These are {SHOWN} of {pluralize(found.length, "domain")}; filter to see others.
        </Text>
      )}
    </>
  );
}
