import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { Column, Sort } from '../../kit/column.ts';
import { fixedSize } from '../../kit/column-widths.ts';
import { DataTable, type DataTableProps } from '../../kit/data-table.tsx';
import { locale } from '../../kit/language.ts';
import type { RowSelection } from '../../kit/row-selection.ts';
import { plural, t } from '../../kit/translate.ts';
import { EntityAnchor, entityAddress } from '../entity-anchor.tsx';
import classes from './entities.module.css';
import { fieldSize, isFigure } from './field-sizes.ts';
import { type Field, fieldValue, isSortable, relationKey } from './fields.ts';
import { EditableCell, isEditedInPlace } from './inline-edit.tsx';
import { type Names, PropertyValue } from './property-value.tsx';
import { useOffers } from './rights.ts';
import { RowMenu } from './row-menu.tsx';
import type { FoundEntity } from './use-entities.ts';
import { useStrips } from './value-strips.tsx';

interface RowsProps {
  readonly label: string;
  readonly blueprint: string;
  readonly icon?: string | undefined;
  readonly fields: readonly Field[];
  readonly rows: readonly FoundEntity[];
  readonly names: Names;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort | undefined) => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
  readonly total?: DataTableProps<FoundEntity>['total'];
  readonly empty?: ReactNode;
  readonly isCompact?: boolean;
  readonly countText?: string | undefined;
  readonly selection?: RowSelection | undefined;
}

/** Entities as a table, or as cards on a narrow screen. */
export function EntityRows(props: RowsProps) {
  const isNarrow = useMediaQuery('(max-width: 639px)');
  return isNarrow ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows({ blueprint, icon, fields, rows, names, isCompact = false, ...table }: RowsProps) {
  const navigate = useNavigate();
  const offers = useOffers(blueprint);
  const stripOf = useStrips();
  const columns = useMemo<readonly Column<FoundEntity>[]>(() => {
    const isEditable = (field: Field) =>
      !isCompact &&
      isEditedInPlace(field) &&
      (field.source === 'relation' ? offers.relation(relationKey(field)) : offers.property(field.key));
    return [
      ...fields.map(
        (field): Column<FoundEntity> => ({
          key: field.key,
          title: field.title,
          width: fieldSize(field),
          ...(isFigure(field) ? { align: 'end' as const } : {}),
          ...(isSortable(field) ? { sortBy: field.key } : {}),
          below: stripOf?.(field),
          cell: (entity) => {
            const value =
              field.key === '$title' ? (
                <Identity entity={entity} blueprint={blueprint} icon={icon} />
              ) : (
                <PropertyValue field={field} value={fieldValue(entity, field)} names={names} />
              );
            return isEditable(field) ? (
              <EditableCell field={field} entity={entity} blueprint={entity.blueprint ?? blueprint}>
                {value}
              </EditableCell>
            ) : (
              value
            );
          },
        }),
      ),
      {
        key: ' menu',
        title: t('Actions'),
        width: fixedSize(44),
        isPinnedEnd: true,
        cell: (entity) => <RowMenu entity={entity} blueprint={entity.blueprint ?? blueprint} />,
      },
    ];
  }, [fields, names, blueprint, icon, isCompact, stripOf, offers.property, offers.relation]);
  const open = useCallback(
    (row: FoundEntity) => void navigate(entityAddress(row.blueprint ?? blueprint, row.identifier ?? '')),
    [navigate, blueprint],
  );
  return <DataTable {...table} columns={columns} rows={rows} keyOf={keyOf} nameOf={nameOf} onOpen={open} />;
}

const keyOf = ({ identifier }: FoundEntity) => identifier ?? '';
const nameOf = ({ title, identifier = '' }: FoundEntity) => title || identifier;

function Identity({ entity, blueprint, icon }: { entity: FoundEntity; blueprint: string; icon?: string | undefined }) {
  const { identifier = '', title } = entity;
  return (
    <span className={classes.identity}>
      <EntityAnchor
        blueprint={entity.blueprint ?? blueprint}
        identifier={identifier}
        title={title}
        icon={entity.icon ?? icon ?? ''}
      />
    </span>
  );
}

const cardFields = 4;

function Cards({
  label,
  blueprint,
  icon,
  fields,
  rows,
  names,
  hasMore,
  isLoadingMore,
  onMore,
  total,
  countText,
  empty,
}: RowsProps) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  const shown = fields.filter(({ key }) => key !== '$title').slice(0, cardFields);
  return (
    <>
      <ul className={classes.entityCards} aria-label={label}>
        {rows.map((entity) => (
          <li key={entity.identifier} className={classes.entityCard}>
            <div className={classes.cardHead}>
              <Identity entity={entity} blueprint={blueprint} icon={icon} />
              <RowMenu entity={entity} blueprint={entity.blueprint ?? blueprint} />
            </div>
            <dl>
              {shown.map((field) => (
                <CardLine key={field.key} title={field.title}>
                  <PropertyValue field={field} value={fieldValue(entity, field)} names={names} />
                </CardLine>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      <p className={classes.count} role="status">
        {countText ??
          (total
            ? t('{loaded} of {all} rows', {
                loaded: rows.length.toLocaleString(locale),
                all: total.count.toLocaleString(locale),
              })
            : plural(rows.length, '{count} row', '{count} rows'))}
      </p>
      {hasMore && (
        <button type="button" className={classes.more} onClick={onMore} disabled={isLoadingMore}>
          {isLoadingMore ? t('Loading more') : t('Load more')}
        </button>
      )}
    </>
  );
}

function CardLine({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}
