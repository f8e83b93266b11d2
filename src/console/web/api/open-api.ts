import { useQuery } from "@tanstack/react-query";
import { SERVICE_URL } from "../url.ts";
import { ApiError, getError } from "./api-error.ts";

/** Reads the service's OpenAPI document, once for each visit. */
export function useOpenApi<Document>({ isEnabled = true } = {}) {
  return useQuery({
    queryKey: ["openapi.json"],
    queryFn: readOpenApi<Document>,
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readOpenApi<Document>({ signal }: { signal: AbortSignal }): Promise<Document> {
  const response = await fetch(`${SERVICE_URL}/openapi.json`, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new ApiError("OFFLINE", "The service does not respond.");
  });
  if (!response.ok) throw await getError(response);
  return response.json();
}
