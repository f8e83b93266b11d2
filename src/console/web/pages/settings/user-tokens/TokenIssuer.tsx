import { NativeSelect, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { fieldIssues } from "../../../api/field-issues.ts";
import { useApiQuery } from "../../../api/use-api.ts";
import { ROLES, toRole } from "../../../components/access-roles.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { useInvalidFieldFocus } from "../../../components/use-invalid-field-focus.ts";
import { SaveLine } from "../SaveLine.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { TryIssuerToken } from "./TryIssuerToken.tsx";
import {
  AUDIENCE_CLAIMS,
  CLAIM_LABELS,
  CLAIMS,
  FIELD_PATHS,
  type TokenIssuerConfig,
  type TokenIssuerForm,
  toForm,
  toUpdate,
} from "./token-issuer-form.ts";

/** The issuer whose tokens are user tokens too, such as the identity provider of the product. */
export function TokenIssuer() {
  const apiQuery = useApiQuery("/v2/workspace/tokenissuerconfig/get", {});
  return (
    <Stack>
      <Panel title="Tokens of your identity provider" apiQuery={apiQuery}>
        {(config) => <Form config={config} />}
      </Panel>
      <TryIssuerToken />
    </Stack>
  );
}

function Form({ config }: { config: TokenIssuerConfig }) {
  const { form, set, submit, error, saveLine } = useSettingsForm("/v2/workspace/tokenissuerconfig/update", {
    settings: config,
    toForm,
    toUpdate,
  });
  const ref = useInvalidFieldFocus(error);
  const { at, rest } = fieldIssues(error, FIELD_PATHS);
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="md">
        <Text size="sm" maw="46rem">
          Pages can send the tokens that your users have from Auth0, Keycloak, Clerk, Supabase or another issuer of
          JWTs, together with the API key of this workspace. Your backend then needs no token endpoint.
        </Text>
        <Switch
          label="Accept tokens of the issuer below"
          checked={form.isEnabled}
          onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
        />
        <div className="form-fields">
          <TextInput
            label="Issuer"
            description="The claim iss, exactly as in the tokens"
            placeholder="https://example.eu.auth0.com/"
            autoComplete="off"
            value={form.issuer}
            error={at("data.issuer")}
            onChange={(event) => set({ issuer: event.currentTarget.value })}
          />
          <TextInput
            label="URL of the signing keys"
            description="JSON Web Key Set"
            placeholder="https://example.eu.auth0.com/.well-known/jwks.json"
            autoComplete="off"
            value={form.jwksUrl}
            error={at("data.jwksUrl")}
            onChange={(event) => set({ jwksUrl: event.currentTarget.value })}
          />
          <TextInput
            label="Audience"
            description="Who the tokens must be for"
            placeholder="https://colloquy.example.com"
            autoComplete="off"
            value={form.audience}
            error={at("data.audience")}
            onChange={(event) => set({ audience: event.currentTarget.value })}
          />
          <NativeSelect
            label="Claim of the audience"
            description="azp if the tokens have no aud"
            data={AUDIENCE_CLAIMS}
            value={form.audienceClaim}
            onChange={(event) => set({ audienceClaim: event.currentTarget.value === "azp" ? "azp" : "aud" })}
          />
        </div>
        <Claims form={form} at={at} onChange={set} />
        <div className="form-fields">
          <Textarea
            label="Roles"
            description="A line for each role of the issuer: its name, a colon, and the role here"
            placeholder={"admin: moderator\nmember: editor"}
            autosize
            minRows={2}
            autoComplete="off"
            value={form.roles}
            error={at("data.roles")}
            onChange={(event) => set({ roles: event.currentTarget.value })}
          />
          <NativeSelect
            label="Default role"
            description="For users without any of these roles"
            data={ROLES}
            value={form.defaultRole}
            onChange={(event) => set({ defaultRole: toRole(event.currentTarget.value) ?? form.defaultRole })}
          />
        </div>
        {rest && <ErrorMessage error={rest} />}
        <SaveLine {...saveLine} />
      </Stack>
    </form>
  );
}

interface ClaimsProps {
  form: TokenIssuerForm;
  at: (path: string) => string | undefined;
  onChange: (changes: Partial<TokenIssuerForm>) => void;
}

/** The names of the claims to read. */
function Claims({ form: { claims }, at, onChange }: ClaimsProps) {
  return (
    <Stack gap="xs" role="group" aria-label="Claims">
      <Text size="sm" maw="46rem">
        Claims with these names say who the user is, and in which organizations. A claim in another one has a path, such
        as app_metadata.organization. Name no claim that users can change themselves. Without organizations, stored
        permissions decide what a user may do.
      </Text>
      <div className="form-fields">
        {CLAIMS.map((name) => (
          <TextInput
            key={name}
            label={CLAIM_LABELS[name].label}
            placeholder={CLAIM_LABELS[name].placeholder}
            autoComplete="off"
            value={claims[name]}
            error={at(`data.claims.${name}`)}
            onChange={(event) => onChange({ claims: { ...claims, [name]: event.currentTarget.value } })}
          />
        ))}
      </div>
    </Stack>
  );
}
