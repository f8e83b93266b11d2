import { Autocomplete, type OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useState } from "react";
import type { Organization } from "../api/records.ts";
import { type ApiQuery, useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { suggestOrganizations } from "./organization-suggestions.ts";
import { UntrustedText } from "./UntrustedText.tsx";

const PATH = "/v2/organizations/get";
/** These are offered at once; where there are more, the API is asked for those that begin with what is typed. */
const SUGGESTIONS = 200;
const SHOWN = 20;
const TYPING_MS = 200;
const MISSING_EVERY_MS = 5_000;

export interface SelectedOrganization {
  /** Of the address, or else the first there is; undefined while that is not known or there is none. */
  organizationId: string | undefined;
  /** Of the address, where there is no such organization. */
  missingId: string | undefined;
  apiQuery: ApiQuery<Organization[]>;
}

/** The organization that a page is about: the address's parameter `organization`. */
export function useSelectedOrganization(): SelectedOrganization {
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery<Organization[]>(PATH, { pageSize: SUGGESTIONS });
  const answer = apiQuery.query.data;
  const wanted = get("organization");
  const isUnknown = wanted !== undefined && answer !== undefined && !answer.data.some(({ id }) => id === wanted);
  // It may be behind those that are offered, or newer than they are; one that is missing may still come.
  const refetchMs = (found: Organization[] | undefined) => found?.length === 0 && MISSING_EVERY_MS;
  const one = useApiQuery<Organization[]>(PATH, { organizationIds: [wanted] }, { isEnabled: isUnknown, refetchMs });
  const isMissing = isUnknown && isAnsweredEmpty(one);
  return {
    organizationId: isMissing ? undefined : (wanted ?? answer?.data[0]?.id),
    missingId: isMissing ? wanted : undefined,
    apiQuery,
  };
}

function isAnsweredEmpty({ query: { data, isPlaceholderData } }: ApiQuery<Organization[]>): boolean {
  return !isPlaceholderData && data?.data.length === 0;
}

/** Chooses it; filters and pages of the one before are dropped with it, but for those that are to be kept. */
export function OrganizationSelect({ chosen, keep = [] }: { chosen: SelectedOrganization; keep?: string[] }) {
  const { organizationId, missingId, apiQuery } = chosen;
  const current = organizationId ?? missingId ?? "";
  const answer = apiQuery.query.data;
  const isAll = answer !== undefined && answer.pageToken === undefined;
  return <Select key={current} current={current} known={answer?.data ?? []} isAll={isAll} keep={keep} />;
}

interface SelectProps {
  current: string;
  known: Organization[];
  /** Whether there are no others than those known. */
  isAll: boolean;
  keep: string[];
}

/** What is offered has been filtered before. */
const unfiltered: OptionsFilter = ({ options, limit }) => options.slice(0, limit);

function Select({ current, known, isAll, keep }: SelectProps) {
  const { change, all } = useUrlParameters();
  const [text, setText] = useState(current);
  // What stands there already is no search.
  const wanted = text === current ? "" : text;
  const found = useFound(known, wanted, isAll);
  const offered = suggestOrganizations(wanted, found, { isAll });
  function choose(id: string): void {
    if (!id || id === current) {
      setText(current);
      return;
    }
    const dropped = all.filter((name) => !keep.includes(name)).map((name) => [name, undefined]);
    change({ ...Object.fromEntries(dropped), organization: id });
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // Where the arrow keys have marked one, that one is taken.
    if (event.key !== "Enter" || event.currentTarget.hasAttribute("aria-activedescendant")) return;
    if (text !== current) choose(offered[0] ?? text);
  }
  return (
    <Autocomplete
      label="Organization"
      placeholder="Id"
      value={text}
      data={offered}
      filter={unfiltered}
      renderOption={({ option }) => (
        <Option id={option.value} organization={found.find(({ id }) => id === option.value)} />
      )}
      limit={SHOWN}
      onChange={setText}
      onOptionSubmit={choose}
      onKeyDown={onKeyDown}
      onBlur={() => choose(found.some(({ id }) => id === text) ? text : current)}
    />
  );
}

/** Those known, and those that begin with the text where there are others. */
function useFound(known: Organization[], text: string, isAll: boolean): Organization[] {
  const [search] = useDebouncedValue(text, TYPING_MS);
  const apiQuery = useApiQuery<Organization[]>(
    PATH,
    { search, pageSize: SHOWN },
    { isEnabled: !isAll && search !== "" },
  );
  const others =
    apiQuery.query.data?.data.filter(({ id }) => !known.some((organization) => organization.id === id)) ?? [];
  return [...others, ...known];
}

function Option({ id, organization }: { id: string; organization: Organization | undefined }) {
  const { organizationName = "", disabled = false } = organization ?? {};
  return (
    <span>
      <UntrustedText>{organizationName || id}</UntrustedText>
      {organizationName !== "" && (
        <>
          {" "}
          (<UntrustedText>{id}</UntrustedText>)
        </>
      )}
      {disabled && " · disabled"}
    </span>
  );
}
