import Type from "typebox";
import { SCOPES } from "../../../contract/scopes.ts";

/** Scopes of a token. Repeated ones count once. */
export const Scopes = Type.Array(Type.Enum(SCOPES), {
  minItems: 1,
  maxItems: SCOPES.length,
  description:
    "What the token allows: `read` data, `write` data, and `admin` (tokens, sessions, settings, the audit log, the " +
    "outbox and the deletion of users).",
});

/** Secret of a token that examples show. */
export const SECRET_EXAMPLE = `colloquy_token_${"5c1e8a7d94f2b036".repeat(4)}`;

/** Fields of a token in the shape of comparable services. */
export const NAMED_TOKEN = {
  name: Type.String({ examples: ["backend"] }),
  domains: Type.Array(Type.String(), {
    description: "Always empty: allowed domains belong to the workspace.",
    examples: [[]],
  }),
};
