import { Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure, useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, useId, useState } from "react";
import { Link } from "wouter";
import { FEATURES } from "../../components/features.ts";
import { LOCALE } from "../../components/locale.ts";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { toTimeParameter } from "../../components/time-input.ts";
import { type Bar, getRestOfDay, labelStep, ticksUpTo, type Unit } from "./overview.ts";

const HOUR = new Intl.DateTimeFormat(LOCALE, { hour: "numeric" });

/** A bar chart of activities, stacked by feature, that can be shown as a table. Each bar leads to its activities. */
export function ActivityChart({ bars, unit }: { bars: Bar[]; unit: Unit }) {
  const [isTable, { toggle }] = useDisclosure();
  const id = useId();
  const features = FEATURES.filter(({ value }) => bars.some(({ featureTypes }) => featureTypes[value]));
  return (
    <div>
      <div id={id}>
        {isTable ? (
          <BarTable bars={bars} unit={unit} features={features} />
        ) : (
          <Bars bars={bars} unit={unit} features={features} />
        )}
      </div>
      <Group mt="xs" justify="space-between">
        <ul className="legend" hidden={isTable}>
          {features.map(({ value, label }) => (
            <li key={value} data-feature={value}>
              {label}
            </li>
          ))}
        </ul>
        <Button size="compact-xs" variant="default" onClick={toggle} aria-controls={id}>
          {isTable ? "Show chart" : "Show table"}
        </Button>
      </Group>
    </div>
  );
}

interface Series {
  bars: Bar[];
  unit: Unit;
  features: typeof FEATURES;
}

/** The bars with their axes. The values of the bar that is hovered or focused are above. One bar is a tab stop. */
function Bars({ bars, unit, features }: Series) {
  const [shown, setShown] = useState<number>();
  const last = bars.length - 1;
  const [tabStop, setTabStop] = useState(last);
  const ticks = ticksUpTo(Math.max(...bars.map(({ total }) => total)));
  const top = ticks.at(-1) ?? 1;
  const { ref, width } = useElementSize();
  const rest = unit === "hour" ? getRestOfDay(bars.at(-1)?.startsAt ?? 0) : [];
  const bar = shown === undefined ? undefined : bars[shown];
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const targets = new Map([
      ["ArrowLeft", Math.max(tabStop - 1, 0)],
      ["ArrowRight", Math.min(tabStop + 1, last)],
      ["Home", 0],
      ["End", last],
    ]);
    const target = targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll("a").item(target).focus();
  }
  return (
    <div className="chart">
      <Text size="xs" c="dimmed" className="chart-values" aria-hidden>
        {bar ? buildValues(bar, features) : getSummary(bars, unit)}
      </Text>
      <div className="chart-plot">
        {ticks.map((tick) => (
          <Text
            key={tick}
            size="xs"
            c="dimmed"
            className="chart-tick"
            style={{ bottom: getShare(tick, top) }}
            aria-hidden
          >
            {formatCount(tick)}
          </Text>
        ))}
        {/* biome-ignore lint/a11y/useSemanticElements: A fieldset is for forms. */}
        <div className="chart-bars" role="group" aria-label={getSummary(bars, unit)} onKeyDown={onKeyDown}>
          {bars.map((one, index) => (
            <Link
              key={one.startsAt}
              className="chart-bar"
              href={getFeed(one)}
              aria-label={buildValues(one, features)}
              tabIndex={index === tabStop ? 0 : -1}
              onMouseEnter={() => setShown(index)}
              onMouseLeave={() => setShown(undefined)}
              onBlur={() => setShown(undefined)}
              onFocus={() => {
                setShown(index);
                setTabStop(index);
              }}
            >
              {features.map(({ value }) => (
                <span
                  key={value}
                  data-feature={value}
                  style={{ height: getShare(one.featureTypes[value] ?? 0, top) }}
                />
              ))}
            </Link>
          ))}
          {rest.map((startsAt) => (
            <span key={startsAt} className="chart-rest" />
          ))}
        </div>
      </div>
      <div className="chart-labels" aria-hidden ref={ref}>
        {width > 0 && (
          <Labels bars={[...bars, ...rest.map((startsAt) => ({ startsAt, label: "" }))]} {...{ unit, width }} />
        )}
      </div>
    </div>
  );
}

interface LabelsProps {
  bars: Pick<Bar, "startsAt" | "label">[];
  unit: Unit;
  /** Width of all bars in pixels. */
  width: number;
}

/** The labels of as many bars as have room for one, each to the right of the left end of its bar. */
function Labels({ bars, unit, width }: LabelsProps) {
  const step = labelStep(unit, bars.length, width);
  return bars.map(({ startsAt, label }, index) => (
    <Text key={startsAt} size="xs" c="dimmed">
      {index % step === 0 && index <= bars.length - step && (
        <span>{unit === "hour" ? HOUR.format(startsAt) : label}</span>
      )}
    </Text>
  ));
}

function getShare(count: number, top: number): string {
  return `${(count / top) * 100}%`;
}

/** Returns the URL of the feed with the activities of a bar. */
function getFeed({ startsAt, endsAt }: Bar): string {
  const to = endsAt === undefined ? [] : [["to", toTimeParameter(endsAt)]];
  return `/activities?${new URLSearchParams([["from", toTimeParameter(startsAt)], ...to])}`;
}

function buildValues({ label, total, featureTypes }: Bar, features: typeof FEATURES): string {
  const counts = features.flatMap(({ value, label: name }) => {
    const count = featureTypes[value];
    return count ? `${name} ${formatCount(count)}` : [];
  });
  return [`${label}: ${pluralize(total, "activity", "activities")}`, ...counts].join(" · ");
}

const UNIT_TITLES = { hour: "Hour", day: "Day", month: "Month" };

function BarTable({ bars, unit, features }: Series) {
  return (
    <Table.ScrollContainer minWidth={320} mah={320}>
      <Table withRowBorders={false} verticalSpacing={2} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{UNIT_TITLES[unit]}</Table.Th>
            <Table.Th scope="col">Total</Table.Th>
            {features.map(({ value, label }) => (
              <Table.Th key={value} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars.toReversed().map(({ startsAt, label, total, featureTypes }) => (
            <Table.Tr key={startsAt}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>{formatCount(total)}</Table.Td>
              {features.map(({ value }) => (
                <Table.Td key={value}>{formatCount(featureTypes[value] ?? 0)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function getSummary(bars: Bar[], unit: Unit): string {
  const total = bars.reduce((sum, bar) => sum + bar.total, 0);
  const busiest = bars.toSorted((one, other) => other.total - one.total)[0];
  const summary = `${pluralize(total, "activity", "activities")} in ${pluralize(bars.length, unit)}`;
  return busiest && total > 0 ? `${summary}, at most ${formatCount(busiest.total)} (${busiest.label})` : summary;
}
