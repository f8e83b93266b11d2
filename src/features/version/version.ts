import Type from "typebox";
import { type PublicContext, publicOperation } from "../../contract/operation.ts";
import { readSchemaState } from "../../database/migration-files.ts";

/** Reads the version of the service. */
export const readVersion = publicOperation({
  authentication: "none",
  path: "/v2/version",
  summary: "Read the version of the service",
  description: "Needs no headers, and says nothing about a workspace.",
  message: "Version retrieved.",
  request: Type.Object({}),
  response: Type.Object({
    version: Type.String({ description: "Version of the process that responds.", examples: ["0.1.0"] }),
    apiVersions: Type.Array(Type.String(), {
      description: "Versions of the API, with which paths begin.",
      examples: [["v1", "v2"]],
    }),
    isSchemaNewer: Type.Boolean({
      description:
        "Whether a later version has upgraded the database. It is true until this process is replaced, or after a " +
        "rollback.",
      examples: [false],
    }),
  }),
  example: {},
  handle,
});

async function handle({ database, host: { version } }: PublicContext) {
  const { isNewer } = await readSchemaState(database);
  return { version, apiVersions: ["v1", "v2"], isSchemaNewer: isNewer };
}
