import { Fragment, type ReactNode } from "react";
import { UntrustedText } from "./UntrustedText.tsx";

interface FactListProps {
  /** Name and value of each fact. */
  facts: (readonly [name: string, value: ReactNode])[];
}

/** Facts about a record, one a line. */
export function FactList({ facts }: FactListProps) {
  return (
    <dl className="head">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Facts whose values are texts. */
export function TextFactList({ facts }: { facts: (readonly [name: string, value: string])[] }) {
  return <FactList facts={facts.map(([name, value]) => [name, <UntrustedText key={name}>{value}</UntrustedText>])} />;
}
