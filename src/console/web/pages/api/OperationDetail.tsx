import { Badge, Code as InlineCode, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { curlCommand, KEY_PLACEHOLDER, TOKEN_PLACEHOLDER } from "../../api/curl.ts";
import { useOptionalWorkspace } from "../../api/workspace.ts";
import { Code, Json } from "../../components/Code.tsx";
import { SERVICE_URL } from "../../url.ts";
import { Markdown } from "./Markdown.tsx";
import type { OperationReference } from "./reference.ts";
import type { Field } from "./schema.ts";
import { TryOperation } from "./TryOperation.tsx";

/** The reference of one operation: its request, response, errors and an example. */
export function OperationDetail({ reference }: { reference: OperationReference }) {
  const workspace = useOptionalWorkspace();
  const { apiKey = KEY_PLACEHOLDER } = workspace ?? {};
  const { method, path, summary, description, isPublic, request, response, example, responseExample, errors } =
    reference;
  const service = { serviceUrl: SERVICE_URL, apiKey: isPublic ? undefined : apiKey, isIndented: true };
  const command =
    method === "GET" ? streamCommand(path, example, apiKey) : curlCommand({ path, data: example }, service);
  return (
    <Stack gap="md">
      <Part title={summary}>
        <Text size="sm" component="div" className="details">
          <InlineCode>
            {method} {path}
          </InlineCode>
          {isPublic && <Badge variant="default">Public</Badge>}
        </Text>
        {description && <Markdown text={description} />}
      </Part>
      <Part title="Example">
        <Code label={`Command for ${path}`} text={command} />
        {typeof responseExample === "string" ? (
          <Code label={`Response of ${path}`} text={responseExample} />
        ) : (
          <Json label={`Response of ${path}`} value={responseExample} />
        )}
      </Part>
      {workspace && method === "POST" && (
        <Part title="Try it">
          <TryOperation path={path} example={example} deletes={reference.deletes} workspace={workspace} />
        </Part>
      )}
      <Part title={method === "GET" ? "Parameters" : "Request data"}>
        <Fields fields={request} none="No fields." />
      </Part>
      {method === "POST" && (
        <Part title="Response">
          <Fields fields={response} none="No data." />
        </Part>
      )}
      <Part title="Errors">
        <ul className="rows">
          {errors.map(({ httpStatus, description: meaning, example: body }) => (
            <li key={httpStatus}>
              <div className="wide">
                <Text size="sm" fw={600}>
                  HTTP {httpStatus}
                </Text>
                <Markdown text={meaning} />
                {body !== undefined && (
                  <details>
                    <summary>Example</summary>
                    <Json label={`Response with HTTP ${httpStatus}`} value={body} />
                  </details>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Part>
    </Stack>
  );
}

/** Returns a curl command that follows a stream. */
function streamCommand(path: string, query: object, apiKey: string): string {
  const url = `${SERVICE_URL}${path}?${new URLSearchParams(Object.entries(query))}`;
  return [
    `curl --no-buffer '${url}'`,
    `-H 'x-service-api-key: ${apiKey}'`,
    `-H 'x-service-auth-token: ${TOKEN_PLACEHOLDER}'`,
  ].join(" \\\n  ");
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h5" id={id} mb="xs">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  );
}

function Fields({ fields, none }: { fields: Field[]; none: string }) {
  if (fields.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <ul className="fields">
      {fields.map(({ path, name, depth, type, isRequired, limits, description }) => (
        <li key={path} data-depth={Math.min(depth, 4)}>
          <div className="details">
            <strong title={path}>{name}</strong>
            <span className="field-type">{type}</span>
            {isRequired && <span>required</span>}
            {limits && <span className="field-limits">{limits}</span>}
          </div>
          {description && <Markdown text={description} />}
        </li>
      ))}
    </ul>
  );
}
