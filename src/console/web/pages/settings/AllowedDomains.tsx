import { Group, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldIssues } from "../../api/field-issues.ts";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Filters } from "../../components/Filters.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useInvalidFieldFocus } from "../../components/use-invalid-field-focus.ts";
import { useUrlParameters } from "../../url.ts";

/** Maximum number of rows; the search finds the others. The operation is not paginated. */
const MAX_ROWS = 100;
/** Path of the field in the request. */
const DOMAIN = "data.domains[0]";

/** The domains whose web pages may call the API from a browser. */
export function AllowedDomains() {
  const apiQuery = useApiQuery("/v2/workspace/domains/get", {});
  return (
    <Panel title="Allowed domains" apiQuery={apiQuery}>
      {({ allowedDomains: domains }) => (
        <>
          <AddDomain />
          {domains.length === 0 ? (
            <Text size="sm" mt="sm">
              No allowed domains. To call the API from the browser, allow the domains of your pages. Backends do not
              need this.
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
  const { mutate, isPending, error, reset } = useApiMutation("/v2/workspace/domains/add");
  const isKnown = error?.details?.reason === "domains_skipped";
  const { at, rest } = fieldIssues(error, [DOMAIN]);
  const ref = useInvalidFieldFocus(error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({ domains: [domain.trim()] }, { onSuccess: () => setDomain("") });
  }
  return (
    <form onSubmit={submit} ref={ref}>
      <Group align="flex-end" gap="xs" mb="sm">
        <TextInput
          label="Domain"
          description="*.example.com allows every subdomain of example.com, so all of them should be yours."
          placeholder="app.example.com"
          required
          withAsterisk={false}
          className="grow"
          // The button stays on the line of the input.
          inputWrapperOrder={["label", "description", "error", "input"]}
          value={domain}
          error={isKnown ? "This domain is already allowed." : at(DOMAIN)}
          onChange={(event) => {
            setDomain(event.currentTarget.value);
            reset();
          }}
        />
        <PendingButton type="submit" variant="default" loading={isPending}>
          Allow
        </PendingButton>
      </Group>
      {rest && !isKnown && <ErrorMessage error={rest} />}
    </form>
  );
}

function DomainList({ domains }: { domains: string[] }) {
  const { get } = useUrlParameters();
  const search = get("domain")?.toLowerCase() ?? "";
  const found = domains.filter((domain) => domain.includes(search));
  return (
    <>
      {(domains.length > MAX_ROWS || search) && (
        <Filters>
          <TextFilter isSearch label="Search" name="domain" placeholder="Any part of a domain" />
        </Filters>
      )}
      <ul className="rows">
        {found.slice(0, MAX_ROWS).map((domain) => (
          <li key={domain}>
            <Text size="sm">{domain}</Text>
            <ConfirmButton
              label="Remove…"
              target={domain}
              title={`Remove ${domain}?`}
              action="Remove"
              request={{ path: "/v2/workspace/domains/delete", data: { domains: [domain] } }}
            >
              <Text size="sm">
                Requests from pages on {domain} are rejected, unless another allowed domain covers them. You can allow
                the domain again at any time.
              </Text>
            </ConfirmButton>
          </li>
        ))}
      </ul>
      {found.length === 0 && <Text size="sm">No domain matches this search.</Text>}
      {found.length > MAX_ROWS && (
        <Text size="sm" mt="sm">
          Showing {MAX_ROWS} of {pluralize(found.length, "domain")}. Search to find the others.
        </Text>
      )}
    </>
  );
}
