import { Stack } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import type { RowSelection } from '../../kit/row-selection.ts';
import { Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../badges.tsx';
import classes from './entities.module.css';
import type { Field } from './fields.ts';
import { joined, type Query, type Rule, toRule } from './operators.ts';
import { type Names, plainText } from './property-value.tsx';
import { EntitySearchRows } from './search-rows.tsx';
import { useTitles } from './titles.ts';
import type { EntitySearch } from './use-entities.ts';
import { useNames } from './use-names.ts';

/** Entities grouped by a value with counts; a group loads its rows when opened. */
export function GroupBands({
  by,
  search,
  fields,
  icon,
  isCompact = false,
  empty,
  selection,
}: {
  by: Field;
  search: EntitySearch;
  fields: readonly Field[];
  icon?: string | undefined;
  isCompact?: boolean;
  empty: ReactNode;
  selection?: RowSelection | undefined;
}) {
  const groups = useRead('groupBlueprintEntities', {
    params: { blueprint_identifier: search.blueprint },
    body: { groupBy: by.key, limit: 200, ...(search.query ? { query: search.query } : {}) },
  });
  const wanted = useMemo(
    () =>
      by.target === undefined
        ? []
        : [
            {
              blueprint: by.target,
              identifiers: (groups.data?.groups ?? []).flatMap(({ value }) =>
                typeof value === 'string' ? [value] : [],
              ),
            },
          ],
    [by, groups.data],
  );
  const titles = useTitles(wanted);
  const names = useNames(titles);
  return (
    <Reading of={groups} skeleton={<TableSkeleton />}>
      {({ groups: bands }) =>
        bands.length === 0 ? (
          empty
        ) : (
          <Stack gap="sm">
            {bands.map(({ value, count }, index) => (
              <Band
                key={JSON.stringify(value)}
                isOpenAtFirst={index === 0}
                count={count}
                label={value === null ? t('No {title}', { title: by.title }) : String(value)}
                search={{ ...search, query: joined([search.query, bandQuery(by, value)]) }}
                fields={fields}
                icon={icon}
                isCompact={isCompact}
                selection={selection}
              >
                {bandName(by, value, names)}
              </Band>
            ))}
          </Stack>
        )
      }
    </Reading>
  );
}

/** The name of a group as plain text: a link would compete with opening the group. */
function bandName(by: Field, value: unknown, names: Names) {
  if (value === null) return <span>{t('No {title}', { title: by.title.toLowerCase() })}</span>;
  const colours = by.shape.enumColors ?? by.shape.items?.enumColors;
  const text = typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : plainText(by, value, names);
  return by.shape.enum ? <ColourBadge colour={colours?.[String(value)]}>{text}</ColourBadge> : <span>{text}</span>;
}

function bandQuery(by: Field, value: unknown): Query {
  return { combinator: 'and', rules: [ruleOfBand(by, value)] };
}

function ruleOfBand(by: Field, value: unknown): Rule {
  if (value === null) return toRule(by, 'isEmpty');
  const isList = by.isMany || (by.shape.type === 'array' && by.key !== '$team');
  if (by.key === '$team') return toRule(by, 'in', [value]);
  if (isList) return toRule(by, 'containsAny', [value]);
  return toRule(by, by.source === 'relation' ? 'in' : '=', by.source === 'relation' ? [value] : value);
}

function Band({
  children,
  count,
  label,
  isOpenAtFirst,
  ...rows
}: {
  children: ReactNode;
  count: number;
  label: string;
  isOpenAtFirst: boolean;
  search: EntitySearch;
  fields: readonly Field[];
  icon?: string | undefined;
  isCompact: boolean;
  selection: RowSelection | undefined;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details className={classes.band} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {children}
        <span className={classes.count}>{count.toLocaleString(locale)}</span>
      </summary>
      {isOpen && (
        <div className={classes.bandBody}>
          <EntitySearchRows {...rows} label={label} total={{ count, isExact: true }} />
        </div>
      )}
    </details>
  );
}
