import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { opensColumnMenu } from '../../kit/grid-cells.ts';
import { Menu } from '../../kit/menu.tsx';
import type { Field } from './fields.ts';
import type { Query } from './operators.ts';
import { chosenValues, type Filtering } from './value-filter.ts';
import { ValueItems } from './value-items.tsx';
import { type Counted, countName, isCounted, type Share, stripText, toShares, valuesMax } from './value-shares.ts';
import classes from './value-strips.module.css';

/** As many as the server counts at once. */
const countedMax = 20;
interface Strips extends Filtering {
  readonly countsOf: (field: Field) => Counted | undefined;
  readonly onShown: () => void;
}

const StripsContext = createContext<Strips | undefined>(undefined);

/**
 * Lets the headings of the tables in it show how the values of their columns are spread over all that match, not only over
 * what is loaded. Counted in one request, after the rows are painted.
 */
export function ValueStrips({
  query,
  fields,
  filtering,
  children,
}: {
  query: Query | undefined;
  fields: readonly Field[];
  filtering: Filtering;
  children: ReactNode;
}) {
  const [isShown, setShown] = useState(false);
  const onShown = useCallback(() => setShown(true), []);
  const properties = useMemo(() => fields.filter(isCounted).slice(0, countedMax).map(countName), [fields]);
  const { data } = useRead(
    'countBlueprintValues',
    {
      params: { blueprint_identifier: filtering.blueprint },
      body: { properties, limit: valuesMax, ...(query ? { query } : {}) },
    },
    { isOn: isShown && properties.length > 0, keepsPrevious: true },
  );
  const strips = useMemo<Strips>(() => {
    const counts = new Map(data?.counts.map((each) => [each.property, each]));
    return {
      ...filtering,
      countsOf: (field) => counts.get(countName(field)),
      onShown,
    };
  }, [data, filtering, onShown]);
  return <StripsContext value={strips}>{children}</StripsContext>;
}

/** The part under the title of a heading; undefined where none belongs. */
export function useStrips(): ((field: Field) => ReactNode) | undefined {
  const isOffered = use(StripsContext) !== undefined;
  return isOffered ? stripOf : undefined;
}

function stripOf(field: Field): ReactNode {
  return isCounted(field) ? <ValueStrip field={field} /> : undefined;
}

/** The shares of the values of a column as one narrow bar: a button, with every value in its menu. */
function ValueStrip({ field }: { field: Field }) {
  const strips = use(StripsContext);
  const [isOpen, setOpen] = useState(false);
  const onShown = strips?.onShown;
  useEffect(() => {
    if (!onShown) return;
    // the rows first: a task after the next frame comes after they are painted
    let task: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      task = setTimeout(onShown);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, [onShown]);
  const counts = strips?.countsOf(field);
  if (!strips || !counts || counts.groups.length === 0) return null;
  const shares = toShares(field, counts);
  const text = stripText(field, shares);
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      withinPortal
      shadow="md"
      closeOnItemClick={false}
      // the first value has the focus, in place of a part without a role
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          {...opensColumnMenu}
          className={classes.strip}
          aria-label={text}
          title={text}
          data-is-chosen={chosenValues(strips.filter, field).length > 0 || undefined}
        >
          <Bar shares={shares} />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.values ?? ''}>
        {isOpen && <ValueItems field={field} counts={counts} filtering={strips} onClose={() => setOpen(false)} />}
      </Menu.Dropdown>
    </Menu>
  );
}

const segmentsMax = 12;

function Bar({ shares }: { shares: readonly Share[] }) {
  const found = shares.filter(({ count }) => count > 0);
  const largest = new Set([...found].sort((one, other) => other.count - one.count).slice(0, segmentsMax));
  const drawn = found.filter((share) => largest.has(share));
  const rest = found.reduce((sum, share) => sum + (largest.has(share) ? 0 : share.share), 0);
  return (
    <span className={classes.bar} aria-hidden="true">
      {drawn.map(({ value, share, colour }) => (
        <span key={JSON.stringify(value)} className={classes.segment} style={{ flexGrow: share, background: colour }} />
      ))}
      {rest > 0 && <span className={classes.segment} style={{ flexGrow: rest, background: 'var(--track)' }} />}
    </span>
  );
}
