import { type ReactElement, useId } from "react";
import { Icon } from "./icons.tsx";
import { PopoverButton } from "./popover-button.tsx";
import { useTexts } from "./texts.tsx";
import type { ThreadOrder, ThreadStatus, ThreadView, ThreadViewFilter } from "./thread-view.ts";

interface ThreadFilterButtonProps {
  view: ThreadView;
  setView: (view: ThreadView) => void;
  /** Whether threads can be sorted by their positions. */
  hasPositions: boolean;
}

/** Shows a button that opens the filters and orders of threads. */
export function ThreadFilterButton({ view, setView, hasPositions }: ThreadFilterButtonProps): ReactElement {
  const texts = useTexts();
  const statuses: [ThreadStatus, string][] = [
    ["open", texts.statusOpen],
    ["resolved", texts.resolved],
    ["all", texts.tabAll],
  ];
  const filters: [ThreadViewFilter, string][] = [
    ["unread", texts.tabUnread],
    ["mine", texts.filterMine],
    ["mentioned", texts.filterMentioned],
    ["assigned", texts.filterAssigned],
    ["detached", texts.detached],
  ];
  const orders: [ThreadOrder, string][] = [
    ["newest", texts.orderNewest],
    ["oldest", texts.orderOldest],
    ["activity", texts.orderActivity],
    ...(hasPositions ? [["position", texts.orderPosition] satisfies [ThreadOrder, string]] : []),
  ];
  return (
    <PopoverButton
      face={<Icon name="filter" />}
      attributes={{ "aria-label": texts.filter, "data-filtered": view.filters.length > 0 }}
    >
      {() => (
        <div className="colloquy-filters">
          <Choices
            legend={texts.status}
            choices={statuses}
            chosen={[view.status]}
            choose={(status) => setView({ ...view, status })}
          />
          <Choices
            legend={texts.filter}
            choices={filters}
            chosen={view.filters}
            isMultiple
            choose={(filter, isChosen) => {
              const others = view.filters.filter((each) => each !== filter);
              setView({ ...view, filters: isChosen ? [...others, filter] : others });
            }}
          />
          <Choices
            legend={texts.order}
            choices={orders}
            chosen={[view.order]}
            choose={(order) => setView({ ...view, order })}
          />
        </div>
      )}
    </PopoverButton>
  );
}

interface ChoicesProps<Value extends string> {
  legend: string;
  choices: readonly [value: Value, label: string][];
  chosen: readonly Value[];
  /** Whether several values can be chosen. */
  isMultiple?: boolean;
  choose: (value: Value, isChosen: boolean) => void;
}

function Choices<Value extends string>(props: ChoicesProps<Value>): ReactElement {
  const { legend, choices, chosen, isMultiple = false, choose } = props;
  const name = useId();
  return (
    <fieldset className="colloquy-choices">
      <legend>{legend}</legend>
      {choices.map(([value, label]) => (
        <label key={value}>
          <input
            type={isMultiple ? "checkbox" : "radio"}
            name={name}
            checked={chosen.includes(value)}
            onChange={({ target }) => choose(value, target.checked)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
