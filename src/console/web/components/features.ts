import type { Activity } from "../api/records.ts";

/** What activities are about, with labels, in the order of charts. */
export const FEATURES: { value: Activity["featureType"]; label: string }[] = [
  { value: "custom", label: "Your product" },
  { value: "comment", label: "Comments" },
  { value: "reaction", label: "Reactions" },
  { value: "recorder", label: "Recordings" },
  { value: "crdt", label: "Document content" },
];

export function getFeatureLabel(feature: Activity["featureType"]): string {
  return FEATURES.find(({ value }) => value === feature)?.label ?? feature;
}
