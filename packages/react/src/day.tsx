import { type ReactElement, type ReactNode, useId } from "react";
import { Heading, type HeadingProps } from "./heading.tsx";
import { useTexts } from "./texts.tsx";
import { useIsHydrated } from "./use-is-hydrated.ts";
import { useNow } from "./use-now.ts";

/** Returns a function for the beginning of the day of a time: in UTC on a server, which does not know the time zone. */
export function useStartOfDay(): (time: number | Date) => number {
  const isHydrated = useIsHydrated();
  return (time) => (isHydrated ? new Date(time).setHours(0, 0, 0, 0) : new Date(time).setUTCHours(0, 0, 0, 0));
}

interface DayProps {
  /** Beginning of the day. */
  start: number;
  /** Level of the heading of the list of days. */
  listLevel: NonNullable<HeadingProps["headingLevel"]>;
  children: ReactNode;
}

/** Shows the records of a day below its name. */
export function Day({ start, listLevel, children }: DayProps): ReactElement {
  const texts = useTexts();
  const now = useNow();
  const isHydrated = useIsHydrated();
  const id = useId();
  const level = Math.min(listLevel + 1, 6) as HeadingProps["headingLevel"];
  return (
    <>
      <Heading key={String(isHydrated)} headingLevel={level} id={id} className="colloquy-subheading">
        {texts.day(new Date(start), now)}
      </Heading>
      <ol aria-labelledby={id}>{children}</ol>
    </>
  );
}
