import { Fragment, type ReactNode } from "react";

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
