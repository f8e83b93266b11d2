import { useUrlParameters } from "../url.ts";

export const PAGE_SIZES = ["25", "50", "100"] as const;
const DEFAULT_PAGE_SIZE = "50";

/** Returns the number of rows of a page, which the URL parameter `rows` chooses. */
export function usePageSize(): number {
  const { get } = useUrlParameters();
  return Number(PAGE_SIZES.find((size) => size === get("rows")) ?? DEFAULT_PAGE_SIZE);
}
