import type { RequestData, ResponseData } from "../../api/call.ts";

export type Endpoint = ResponseData<"/v2/workspace/advancedwebhook/endpoints/get">["endpoints"][number];
type Update = RequestData<"/v2/workspace/advancedwebhook/endpoints/update">;
type Changes = Omit<Update, "endpointId">;

/** State of the form. */
export interface EndpointForm {
  url: string;
  description: string;
  /** Names; empty for all events. */
  events: string[];
  /** One ID a line; empty for all organizations and documents. */
  channels: string;
  rateLimit: string;
  isEnabled: boolean;
}

/** Names of the events to choose from. */
export const EVENT_NAMES = [
  ...["comment.add", "comment.update", "comment.delete", "comment.reaction_add", "comment.reaction_delete"],
  ...["comment_annotation.add", "comment_annotation.status_change", "comment_annotation.assign"],
  ...["comment_annotation.priority_change", "comment_annotation.suggestion_accept"],
  ...["comment_annotation.suggestion_reject", "comment_annotation.custom_list_change", "comment_annotation.subscribe"],
  ...["comment_annotation.unsubscribe", "comment_annotation.accept", "comment_annotation.reject"],
  ...["comment_annotation.approve", "crdt.update_data", "recorder.done", "message.attempt.exhausted"],
];

/** Paths of the fields in requests. */
export const FIELD_PATHS = ["url", "description", "filterTypes", "channels", "rateLimit"].map((name) => `data.${name}`);

/** Returns the form of an endpoint, or the empty form. */
export function toForm(endpoint: Endpoint | undefined): EndpointForm {
  return {
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? "",
    events: endpoint?.filterTypes ?? [],
    channels: endpoint?.channels?.join("\n") ?? "",
    rateLimit: endpoint?.rateLimit?.toString() ?? "",
    isEnabled: !endpoint?.disabled,
  };
}

/** Returns the request that saves the form. Empty fields remove a setting. */
export function toChanges({ url, description, events, channels, rateLimit, isEnabled }: EndpointForm) {
  return {
    url: url.trim(),
    description: description.trim() || null,
    filterTypes: events.length > 0 ? events : null,
    channels: getLines(channels),
    rateLimit: rateLimit.trim() === "" ? null : Number(rateLimit),
    disabled: !isEnabled,
  } satisfies Changes;
}

/** Returns the request that creates an endpoint: without the settings that are not set. */
export function toNewEndpoint(form: EndpointForm) {
  const { url, disabled, description, filterTypes, channels, rateLimit } = toChanges(form);
  return {
    url,
    disabled,
    ...(description !== null && { description }),
    ...(filterTypes && { filterTypes }),
    ...(channels && { channels }),
    ...(rateLimit !== null && { rateLimit }),
  } satisfies RequestData<"/v2/workspace/advancedwebhook/endpoints/create">;
}

/** Returns the lines that are not empty, or null if there are none. */
function getLines(text: string): string[] | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length > 0 ? lines : null;
}
