import { Anchor, Code as InlineCode, Paper, Stack, Text, TextInput } from "@mantine/core";
import { Link } from "wouter";
import { useOpenApi } from "../../api/open-api.ts";
import { useOptionalWorkspace } from "../../api/workspace.ts";
import { Code } from "../../components/Code.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Loading } from "../../components/Panel.tsx";
import { SERVICE_URL, useUrlParameters } from "../../url.ts";
import { Markdown } from "./Markdown.tsx";
import { OperationDetail } from "./OperationDetail.tsx";
import { OperationList } from "./OperationList.tsx";
import { type OpenApi, type OperationReference, operationReference } from "./reference.ts";

/** Shows the API reference of this service, from its OpenAPI document. */
export default function ApiPage() {
  const workspace = useOptionalWorkspace();
  const { data, error, refetch } = useOpenApi<OpenApi>();
  const path = useUrlParameters().get("operation");
  const reference = data && path !== undefined ? operationReference(data, path) : undefined;
  return (
    <>
      <PageTitle title="API" windowTitle={reference && `API: ${reference.summary}`}>
        Every operation of this service{data && ` (version ${data.info.version})`}, with your API key in the examples
        {workspace ? "" : " once you sign in"}. Tools can read{" "}
        <Anchor href={`${SERVICE_URL}/openapi.json`} size="sm" underline="always">
          openapi.json
        </Anchor>
        .
      </PageTitle>
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data && <Reference openApi={data} path={path} reference={reference} />}
      {!data && !error && <Loading />}
    </>
  );
}

interface ReferenceProps {
  openApi: OpenApi;
  /** Path of the operation to show; undefined for general information. */
  path: string | undefined;
  /** The operation; undefined if it does not exist. */
  reference: OperationReference | undefined;
}

function Reference({ openApi, path, reference }: ReferenceProps) {
  const workspace = useOptionalWorkspace();
  const { get, link } = useUrlParameters();
  return (
    <div className="reference" data-has-detail={path !== undefined}>
      <div className="reference-list">
        <Search />
        <OperationList openApi={openApi} query={get("search") ?? ""} />
      </div>
      <div>
        {path !== undefined && (
          <Anchor component={Link} href={link({ operation: undefined })} size="sm" className="reference-back">
            All operations
          </Anchor>
        )}
        {path !== undefined && !reference && <Text size="sm">Operation {path} does not exist.</Text>}
        {reference && <OperationDetail key={reference.path} reference={reference} />}
        {path === undefined && (
          <Stack gap="md">
            {workspace && (
              <Paper withBorder p="md" component="section" aria-label="API key">
                <Text size="sm" mb="xs">
                  Your API key, for the header <InlineCode>x-service-api-key</InlineCode>:
                </Text>
                <Code label="API key" text={workspace.apiKey} />
              </Paper>
            )}
            <Paper withBorder p="md" component="section" aria-label="General information">
              <Markdown text={openApi.info.description} />
            </Paper>
          </Stack>
        )}
      </div>
    </div>
  );
}

function Search() {
  const { get, change } = useUrlParameters();
  return (
    <search aria-label="Operations">
      <TextInput
        label="Search"
        placeholder="user, token, immutable"
        type="search"
        value={get("search") ?? ""}
        onChange={({ currentTarget: { value } }) => change({ search: value }, { replace: true })}
      />
    </search>
  );
}
