import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { withMetadata } from "../tenancy/metadata.ts";

/** Any JSON object of at most 64 KiB. */
export const LiveStateData = withMetadata({});

export const LiveState = Type.Object(
  {
    liveStateDataId: Identifier,
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "Any JSON object.",
        examples: [{ clause: 3, presenter: "ada" }],
      },
    ),
    lastUpdated: Type.Integer({ description: "Time of the last broadcast, in milliseconds since the epoch." }),
  },
  { title: "LiveState" },
);
