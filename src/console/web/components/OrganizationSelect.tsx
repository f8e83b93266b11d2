import { Autocomplete } from "@mantine/core";
import { useState } from "react";
import { useParameters } from "../address.ts";
import type { Organization } from "../api/records.ts";
import { type Asked, useAnswer } from "../api/use-answer.ts";

/** The API lists by id and searches nothing: these are offered, and every other id may be typed. */
const SUGGESTIONS = 200;
const SHOWN = 20;

export interface ChosenOrganization {
  /** Of the address, or else the first there is; undefined while that is not known or there is none. */
  organizationId: string | undefined;
  asked: Asked<Organization[]>;
}

/** The organization that a page is about: the address's parameter `organization`. */
export function useOrganization(): ChosenOrganization {
  const { get } = useParameters();
  const asked = useAnswer<Organization[]>("/v2/organizations/get", { pageSize: SUGGESTIONS });
  return { organizationId: get("organization") ?? asked.query.data?.data[0]?.id, asked };
}

/** Chooses it; filters and pages of the one before are dropped with it, but for those that are to be kept. */
export function OrganizationSelect({ chosen, keep = [] }: { chosen: ChosenOrganization; keep?: string[] }) {
  const { organizationId = "", asked } = chosen;
  return <Select key={organizationId} current={organizationId} known={asked.query.data?.data ?? []} keep={keep} />;
}

function Select({ current, known, keep }: { current: string; known: Organization[]; keep: string[] }) {
  const { change, all } = useParameters();
  const [text, setText] = useState(current);
  function choose(id: string): void {
    if (!id || id === current) return;
    const dropped = all.filter((name) => !keep.includes(name)).map((name) => [name, undefined]);
    change({ ...Object.fromEntries(dropped), organization: id });
  }
  const names = new Map(known.map(({ id, organizationName }) => [id, organizationName]));
  return (
    <Autocomplete
      label="Organization"
      placeholder="Id"
      value={text}
      data={known.map(({ id }) => id)}
      // What stands there already is no search.
      filter={({ options, search, limit }) => {
        const wanted = search === current ? "" : search.toLowerCase();
        const fits = (id: string) => `${id}\n${names.get(id) ?? ""}`.toLowerCase().includes(wanted);
        return options.filter((option) => "value" in option && fits(option.value)).slice(0, limit);
      }}
      renderOption={({ option: { value } }) => (names.get(value) ? `${names.get(value)} (${value})` : value)}
      limit={SHOWN}
      onChange={setText}
      onOptionSubmit={choose}
      onKeyDown={(event) => {
        if (event.key === "Enter") choose(text);
      }}
      onBlur={() => choose(text)}
    />
  );
}
