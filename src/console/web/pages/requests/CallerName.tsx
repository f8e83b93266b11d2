import { FilterLink } from "../../components/FilterLink.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

interface CallerNameProps {
  authTokenId: string | null;
  /** Who has sent the request, in words. */
  label: string;
}

/** A caller, which filters the requests if it is an auth token. */
export function CallerName({ authTokenId, label }: CallerNameProps) {
  const { link } = useUrlParameters();
  const name = <UntrustedText>{label}</UntrustedText>;
  return authTokenId === null ? name : <FilterLink href={link({ token: authTokenId })}>{name}</FilterLink>;
}
