import { Autocomplete, CloseButton, type OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useState } from "react";
import type { ResponseData } from "../api/call.ts";
import type { Organization } from "../api/records.ts";
import { type ApiQuery, useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { revealBidiControls } from "./bidi.ts";
import { nameOrId } from "./display-text.ts";
import { PRELOADED } from "./organization-names.ts";
import { suggestOrganizations } from "./organization-suggestions.ts";
import { textIssue } from "./text-issue.ts";
import { UntrustedText } from "./UntrustedText.tsx";

const PATH = "/v2/organizations/get";
const WORKSPACE_PATH = "/v2/workspace/organizations/get";
const MAX_OPTIONS = 20;
/** Wider than the field, so that names and IDs stand on one line, and not wider than a phone. */
const DROPDOWN_WIDTH = 340;
const DEBOUNCE_MS = 200;
const ALL = "All organizations";
const MISSING_REFETCH_MS = 5_000;

export interface SelectedOrganization {
  /**
   * ID from the URL, or else the preset one or, unless the page shows all organizations without one, that of the
   * enabled organization with the newest activity.
   * Undefined if there is none, and until it is known that the organization exists and is enabled: the API rejects
   * requests for a disabled one.
   */
  organizationId: string | undefined;
  /** ID from the URL if that organization does not exist. */
  missingId: string | undefined;
  /** ID from the URL if that organization is disabled, unless the page works with disabled organizations. */
  disabledId: string | undefined;
  /** Whether it is known that the organization is enabled. */
  isEnabled: boolean;
  /** Name of the organization, if it is known and has one. */
  name: string | undefined;
  apiQuery: ApiQuery<ResponseData<typeof WORKSPACE_PATH>>;
  /** Reads the state of the organization: `apiQuery`, or a query of its own if it is not among the preloaded ones. */
  stateQuery: ApiQuery<unknown>;
}

interface SelectionOptions {
  allowsDisabled?: boolean;
  /** Whether no organization is selected if the URL names none. */
  isOptional?: boolean;
  /** Organization to select if the URL names none. */
  presetId?: string | undefined;
}

/** Returns the organization of a page, which the URL parameter `organization` selects. */
export function useSelectedOrganization(options: SelectionOptions = {}): SelectedOrganization {
  const { allowsDisabled = false, isOptional = false, presetId } = options;
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery(WORKSPACE_PATH, PRELOADED);
  const preloaded = apiQuery.query.data?.data.organizations;
  const named = get("organization");
  const wanted = named ?? presetId;
  const isUnknown = wanted !== undefined && preloaded !== undefined && !preloaded.some(({ id }) => id === wanted);
  // The organization may not be among the preloaded ones, or may be created later.
  const refetchMs = (found: Organization[] | undefined) => found?.length === 0 && MISSING_REFETCH_MS;
  const one = useApiQuery(PATH, { organizationIds: [wanted ?? ""] }, { isEnabled: isUnknown, refetchMs });
  const isMissing = isUnknown && isEmptyResponse(one);
  const known: Organization[] = [...(preloaded ?? []), ...(one.query.data?.data ?? [])];
  const first = useFirst(preloaded, allowsDisabled);
  const isForgotten = named === undefined && (isMissing || (isDisabled(known, wanted) && !allowsDisabled));
  const current = (isForgotten ? undefined : wanted) ?? (isOptional ? undefined : first?.id);
  const found = known.find(({ id }) => id === current);
  const missingId = isMissing ? named : undefined;
  const isEnabled = found?.disabled === false;
  const isUsable = allowsDisabled ? missingId === undefined : isEnabled;
  return {
    organizationId: isUsable ? current : undefined,
    missingId,
    disabledId: !allowsDisabled && found?.disabled ? current : undefined,
    isEnabled,
    name: found?.organizationName,
    apiQuery,
    stateQuery: isUnknown ? one : apiQuery,
  };
}

/**
 * Returns the first usable organization, or else the first one. It stays the same while the page is open, also if
 * another one has newer activity by the time that the list is read again.
 */
function useFirst(preloaded: Organization[] = [], allowsDisabled: boolean): Organization | undefined {
  const [chosenId, setChosenId] = useState<string>();
  const usable = preloaded.filter(({ disabled }) => allowsDisabled || !disabled);
  const first = usable.find(({ id }) => id === chosenId) ?? usable[0] ?? preloaded[0];
  if (first !== undefined && first.id !== chosenId) setChosenId(first.id);
  return first;
}

function isDisabled(organizations: Organization[], wanted: string | undefined): boolean {
  return organizations.some(({ id, disabled }) => id === wanted && disabled);
}

function isEmptyResponse({ query: { data, isPlaceholderData } }: ApiQuery<Organization[]>): boolean {
  return !isPlaceholderData && data?.data.length === 0;
}

interface OrganizationSelectProps {
  selected: SelectedOrganization;
  keep?: string[];
  /** Offers all organizations as well, which is what the page shows if the URL names none. */
  hasAll?: boolean;
}

/** Selects the organization of a page. Clears all URL parameters except those in `keep`. */
export function OrganizationSelect({ selected, keep = [], hasAll = false }: OrganizationSelectProps) {
  const { organizationId, disabledId, name, apiQuery } = selected;
  const { get } = useUrlParameters();
  const current = organizationId ?? disabledId ?? get("organization") ?? "";
  const response = apiQuery.query.data;
  const isAll = response !== undefined && response.pageToken === undefined;
  return (
    <Select
      key={current}
      current={current}
      label={toLabel(current, name)}
      known={response?.data.organizations ?? []}
      isAll={isAll}
      keep={keep}
      hasAll={hasAll}
    />
  );
}

interface SelectProps {
  current: string;
  /** What the field shows until something is typed. */
  label: string;
  known: Organization[];
  /** Whether `known` contains every organization. */
  isAll: boolean;
  keep: string[];
  hasAll: boolean;
}

/** Keeps all options, since they are filtered before. */
const unfiltered: OptionsFilter = ({ options, limit }) => options.slice(0, limit);

function Select({ current, label, known, isAll, keep, hasAll }: SelectProps) {
  const { get, change, all } = useUrlParameters();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? label;
  const issue = text === label ? undefined : textIssue(text);
  const wanted = text === label || text === current || issue !== undefined ? "" : text;
  const found = useFound(known, wanted, isAll);
  const organizations = new Map(found.map((organization) => [organization.id, organization]));
  const offered = suggestOrganizations(wanted, found, { isAll });
  const options = offered.map((id) => ({ value: id, label: toLabel(id, organizations.get(id)?.organizationName) }));
  function choose(id: string): void {
    if (id === current || (id === "" && !hasAll)) {
      setTyped(undefined);
      return;
    }
    const others = all.map((name) => [name, keep.includes(name) ? get(name) : undefined]);
    change({ ...Object.fromEntries(others), organization: id || undefined });
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // The arrow keys have highlighted an option, which Autocomplete submits itself.
    if (event.key !== "Enter" || event.currentTarget.hasAttribute("aria-activedescendant")) return;
    if (text !== label && issue === undefined) choose(text === "" ? "" : (offered[0] ?? text));
  }
  return (
    <Autocomplete
      label="Organization"
      placeholder={hasAll ? ALL : "ID"}
      value={text}
      error={issue}
      data={hasAll && wanted === "" ? [{ value: ALL, label: ALL }, ...options] : options}
      filter={unfiltered}
      renderOption={({ option: { value } }) =>
        value === ALL ? ALL : <Option id={value} organization={organizations.get(value)} />
      }
      limit={MAX_OPTIONS}
      comboboxProps={{ width: DROPDOWN_WIDTH, position: "bottom-start" }}
      // What is typed replaces the label, of which only the name or the ID finds the organization.
      onFocus={(event) => event.currentTarget.select()}
      onChange={setTyped}
      onOptionSubmit={(value) => choose(value === ALL ? "" : value)}
      onKeyDown={onKeyDown}
      rightSection={
        hasAll && current && <CloseButton size="sm" aria-label="Clear Organization" onClick={() => choose("")} />
      }
      onBlur={() => choose(text === "" || organizations.has(text) ? text : current)}
    />
  );
}

/** Returns the name and ID of an organization, or only the ID if there is no name. */
function toLabel(id: string, name: string | undefined): string {
  const label = nameOrId(name, id);
  return label === id ? id : revealBidiControls(`${label} (${id})`);
}

/** Returns the known organizations, preceded by those that the API finds if there are more. */
function useFound(known: Organization[], text: string, isAll: boolean): Organization[] {
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);
  const apiQuery = useApiQuery(PATH, { search, pageSize: MAX_OPTIONS }, { isEnabled: !isAll && search !== "" });
  const others =
    apiQuery.query.data?.data.filter(({ id }) => !known.some((organization) => organization.id === id)) ?? [];
  return [...others, ...known];
}

function Option({ id, organization }: { id: string; organization: Organization | undefined }) {
  const { organizationName = "", disabled = false } = organization ?? {};
  const label = nameOrId(organizationName, id);
  return (
    <span>
      <UntrustedText>{label}</UntrustedText>
      {label !== id && (
        <>
          {" "}
          (<UntrustedText>{id}</UntrustedText>)
        </>
      )}
      {disabled && " · disabled"}
    </span>
  );
}
