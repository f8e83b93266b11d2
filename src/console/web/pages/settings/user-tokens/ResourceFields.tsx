import { Autocomplete, Button, NativeSelect, TextInput } from "@mantine/core";
import { useApiQuery } from "../../../api/use-api.ts";
import { ROLES, toRole } from "../../../components/access-roles.ts";
import { getZoneName } from "../../../components/time-input.ts";
import { RESOURCE_TYPES, type ResourceField, type ResourceForm } from "./token-form.ts";

/** Number of organizations that are suggested. Others can be typed. */
const SUGGESTED = 200;
const MAX_OPTIONS = 20;

interface ResourceFieldsProps {
  number: number;
  resource: ResourceForm;
  /** Returns what is wrong with a field. */
  at: (field: ResourceField) => string | undefined;
  onChange: (resource: ResourceForm) => void;
  /** Undefined for the only resource. */
  onRemove: (() => void) | undefined;
}

/** The fields of one resource to which a token gives access. */
export function ResourceFields({ number, resource, at, onChange, onRemove }: ResourceFieldsProps) {
  const { data: organizations } = useApiQuery("/v2/organizations/get", { pageSize: SUGGESTED }).query;
  const { type, organizationId, id, contextField, contextValue, accessRole, expiresAt } = resource;
  const typeLabel = RESOURCE_TYPES.find(({ value }) => value === type)?.label;
  function set(changes: Partial<ResourceForm>): void {
    onChange({ ...resource, ...changes });
  }
  return (
    <fieldset className="resource">
      <legend>Resource {number}</legend>
      <div className="form-fields">
        <NativeSelect
          label="Type"
          data={RESOURCE_TYPES}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            set({ type: RESOURCE_TYPES.find((option) => option.value === value)?.value ?? type })
          }
        />
        <Autocomplete
          label="Organization ID"
          placeholder="acme"
          required
          withAsterisk={false}
          autoComplete="off"
          data={organizations?.data.map((organization) => organization.id) ?? []}
          limit={MAX_OPTIONS}
          value={organizationId}
          error={at("organizationId") ?? (type === "organization" ? at("id") : undefined)}
          onChange={(value) => set({ organizationId: value })}
        />
        {(type === "folder" || type === "document") && (
          <TextInput
            label={`${typeLabel} ID`}
            placeholder={type === "folder" ? "contracts" : "contract-7"}
            required
            withAsterisk={false}
            autoComplete="off"
            value={id}
            error={at("id")}
            onChange={(event) => set({ id: event.currentTarget.value })}
          />
        )}
        {type === "context" ? (
          <>
            <TextInput
              label="Field"
              placeholder="project"
              required
              withAsterisk={false}
              autoComplete="off"
              value={contextField}
              error={at("context.access")}
              onChange={(event) => set({ contextField: event.currentTarget.value })}
            />
            <TextInput
              label="Value"
              placeholder="apollo"
              required
              withAsterisk={false}
              autoComplete="off"
              value={contextValue}
              onChange={(event) => set({ contextValue: event.currentTarget.value })}
            />
          </>
        ) : (
          <NativeSelect
            label="Role"
            data={ROLES}
            value={accessRole}
            onChange={({ currentTarget: { value } }) => set({ accessRole: toRole(value) ?? accessRole })}
          />
        )}
        <TextInput
          label={`Ends, ${getZoneName()} (optional)`}
          type="datetime-local"
          value={expiresAt}
          error={at("expiresAt")}
          onChange={(event) => set({ expiresAt: event.currentTarget.value })}
        />
      </div>
      {onRemove && (
        <Button size="compact-xs" variant="default" onClick={onRemove} aria-label={`Remove resource ${number}`}>
          Remove
        </Button>
      )}
    </fieldset>
  );
}
