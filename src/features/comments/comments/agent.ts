import Type, { type Static } from "typebox";
import { invalidFields } from "../../../contract/errors.ts";
import { Identifier } from "../../../contract/schema.ts";

const EXTERNAL = "external";

const Reason = Type.Object(
  {
    title: Type.String(),
    description: Type.String(),
    severity: Type.Enum(["critical", "high", "medium", "low", "info"]),
    findingId: Type.Optional(Identifier),
    findingType: Type.Optional(Type.Enum(["text", "pin", "page"])),
    issueType: Type.Optional(Type.String()),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: "Percent." })),
    suggestion: Type.Optional(Type.String()),
    suggestedFix: Type.Optional(Type.String()),
    htmlSnippet: Type.Optional(Type.String()),
    htmlSelector: Type.Optional(Type.String()),
    source: Type.Optional(Type.Enum(["instructions", "knowledge"])),
    knowledgeSection: Type.Optional(Type.String()),
  },
  { additionalProperties: true, description: "What the agent has found. Further fields are stored." },
);

const agentFields = {
  agentSource: Type.String({
    description: "`external`, or a header prefix of `AUTH_HEADER_BRANDS` for agents of the service.",
  }),
  agentId: Identifier,
  agentName: Type.Optional(Type.String()),
  executionId: Type.Optional(Identifier),
  url: Type.Optional(Type.String({ description: "Page that the agent has checked." })),
  reason: Reason,
};

/** Agent that has written a comment. */
export const Agent = Type.Refine(
  Type.Object(agentFields),
  ({ agentSource, agentName }) => agentSource !== EXTERNAL || agentName !== undefined,
  () => "must have agentName if agentSource is external",
);
export type Agent = Static<typeof Agent>;

export const AgentType = Type.Enum(["built-in", "custom", "external"]);

/** Agent as it is stored. Fields that named a deleted user are missing. */
export const StoredAgent = Type.Partial(Type.Object({ ...agentFields, reason: Type.Partial(Reason) }));

/** Agent that has written the first comment of an annotation. */
export const AnnotationAgent = Type.Interface([StoredAgent], { agentType: Type.Optional(AgentType) });
type AnnotationAgent = Static<typeof AnnotationAgent>;

/** Throws INVALID_ARGUMENT if an agent has an unknown source. `list` names the field with the comments. */
export function rejectUnknownAgents(
  comments: { agent?: Agent }[],
  list: string,
  headerPrefixes: readonly string[],
): void {
  const sources = [EXTERNAL, ...headerPrefixes];
  const [first, ...others] = comments.flatMap(({ agent }, index) =>
    agent && !sources.includes(agent.agentSource)
      ? [{ path: `data.${list}[${index}].agent.agentSource`, message: `must be one of ${sources.join(", ")}` }]
      : [],
  );
  if (first) throw invalidFields(first, ...others);
}

/** Returns the agent of an annotation, which is the agent of its first comment. */
export function annotationAgent(agent: Agent): AnnotationAgent {
  return { ...agent, agentType: agent.agentSource === EXTERNAL ? "external" : "built-in" };
}

/** Returns the URL in its normal form, in which URLs are compared; undefined if the text is not a URL. */
export function normalUrl(text: string): string | undefined {
  return URL.parse(text)?.href;
}
