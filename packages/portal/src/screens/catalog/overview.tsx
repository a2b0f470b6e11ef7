import { Button } from '@mantine/core';
import { Calculator, ExternalLink, LayoutGrid } from 'lucide-react';
import { useMemo, useState } from 'react';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { safeLink } from '../../kit/safe-link.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import type { Permit } from '../../parts/access/permit.ts';
import { PersonBadge } from '../../parts/badges.tsx';
import { type Field, type FieldEntity, fieldValue, isCalculated, relationKey } from '../../parts/entities/fields.ts';
import { EditableCell, isEditedInPlace } from '../../parts/entities/inline-edit.tsx';
import { type Names, PropertyValue } from '../../parts/entities/property-value.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import classes from './entity.module.css';
import { fillGroups, type LayoutGroup, type ShownGroup } from './layout.ts';

interface OverviewProps {
  readonly blueprint: string;
  readonly entity: FieldEntity;
  readonly fields: readonly Field[];
  readonly groups: readonly LayoutGroup[];
  readonly names: Names;
  /** Absent where there is no layout to change. */
  readonly onEditLayout: (() => void) | undefined;
  /** Whether the user may change the layout, as the server says. */
  readonly mayLayOut: Permit | undefined;
}

/** The properties of an entity in the groups of its layout, empty ones folded, and the record at the end. */
export function Overview({ blueprint, entity, fields, groups, names, onEditLayout, mayLayOut }: OverviewProps) {
  const { shown, empty } = useMemo(() => fillGroups(groups, fields, entity), [groups, fields, entity]);
  const [showsEmpty, setShowsEmpty] = useState(false);
  const one = { entity, names, blueprint };
  const wide = (look: ShownGroup['as']) =>
    shown.map((group, index) =>
      group.as === look ? <Group key={keyOf(group, index)} group={group} {...one} /> : null,
    );
  return (
    <div className={classes.overview}>
      {wide('links')}
      <div className={classes.columns}>
        {shown.map((group, index) =>
          isNarrow(group) ? <Group key={keyOf(group, index)} group={group} {...one} /> : null,
        )}
      </div>
      {wide('text')}
      <footer className={classes.foot}>
        {empty.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            color="gray"
            aria-expanded={showsEmpty}
            onClick={() => setShowsEmpty(!showsEmpty)}
          >
            {empty.length === 1 ? t('1 empty field') : t('{count} empty fields', { count: empty.length })}
          </Button>
        )}
        <RecordLine entity={entity} />
        {onEditLayout && (
          <Needs permit={mayLayOut} to={t('change how entities of this type are shown')}>
            <Button
              variant="subtle"
              size="compact-sm"
              color="gray"
              leftSection={<LayoutGrid size={14} />}
              onClick={onEditLayout}
            >
              {t('Edit layout')}
            </Button>
          </Needs>
        )}
      </footer>
      {showsEmpty && empty.length > 0 && (
        <Group group={{ title: t('Empty fields'), as: 'rows', fields: empty }} {...one} />
      )}
    </div>
  );
}

/** Groups that stand beside each other; links stand above them, and long texts below. */
function isNarrow({ as }: ShownGroup): boolean {
  return as === 'rows' || as === 'stats';
}

/** Two groups may have the same title. */
function keyOf({ title }: ShownGroup, index: number): string {
  return `${index} ${title}`;
}

type One = Pick<OverviewProps, 'blueprint' | 'entity' | 'names'>;

function Group({ group, ...one }: One & { group: ShownGroup }) {
  const { title, as, fields } = group;
  return (
    <section className={classes.block} aria-label={title} data-look={as}>
      <h2 className={classes.groupTitle} dir="auto">
        {title}
      </h2>
      {as === 'links' && <Links fields={fields} entity={one.entity} />}
      {as === 'stats' && <Stats fields={fields} {...one} />}
      {as === 'text' &&
        fields.map((field) => <Long key={field.key} field={field} hasName={fields.length > 1} {...one} />)}
      {as === 'rows' && (
        <dl className={classes.details}>
          {fields.map((field) => (
            <Line key={field.key} field={field} {...one} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Line({ field, entity, blueprint, names }: One & { field: Field }) {
  return (
    <>
      <dt title={field.shape.description}>
        {field.title}
        <CalculatedSign field={field} />
      </dt>
      <dd>
        <Value field={field} entity={entity} blueprint={blueprint} names={names} />
      </dd>
    </>
  );
}

/** A value with its editor, where the reader may change it. */
function Value({ field, entity, blueprint, names }: One & { field: Field }) {
  const offers = useOffers(blueprint, entity.identifier);
  const value = <PropertyValue field={field} value={fieldValue(entity, field)} names={names} isWhole />;
  const mayEdit =
    isEditedInPlace(field) &&
    (field.source === 'relation' ? offers.relation(relationKey(field)) : offers.property(field.key));
  if (!mayEdit) return value;
  return (
    <EditableCell field={field} entity={entity} blueprint={blueprint}>
      {value}
    </EditableCell>
  );
}

function CalculatedSign({ field }: { field: Field }) {
  if (!isCalculated(field)) return null;
  return (
    <span title={t('Calculated by the platform')} className={classes.calculated}>
      <Calculator size={12} aria-label={t('calculated')} role="img" />
    </span>
  );
}

interface NamedLink {
  readonly address: string;
  readonly label: string;
}

/** The links of a field, each under a name: its own, that of the field, or a number where there are several. */
function listLinks(field: Field, value: unknown): readonly NamedLink[] {
  const values = [value].flat().filter((each) => each !== undefined && each !== null);
  return values.map((each, index): NamedLink => {
    const { url, displayText } = (typeof each === 'object' ? each : {}) as { url?: unknown; displayText?: unknown };
    const name = typeof displayText === 'string' && displayText !== '' ? displayText : field.title;
    return { address: String(url ?? each), label: values.length > 1 ? `${name} ${index + 1}` : name };
  });
}

function Links({ fields, entity }: { fields: readonly Field[]; entity: FieldEntity }) {
  const links = fields.flatMap((field) => listLinks(field, fieldValue(entity, field)));
  return (
    <div className={classes.links}>
      {links.map(({ address, label }) => {
        const safe = safeLink(address);
        if (!safe)
          return (
            <span key={`${label} ${address}`}>
              {label}: {address}
            </span>
          );
        return (
          <Button
            key={`${label} ${address}`}
            component="a"
            href={safe}
            target="_blank"
            rel="noopener noreferrer"
            title={address}
            variant="default"
            size="compact-sm"
            rightSection={<ExternalLink size={12} aria-hidden="true" />}
          >
            {label}
          </Button>
        );
      })}
    </div>
  );
}

function Stats({ fields, ...one }: One & { fields: readonly Field[] }) {
  return (
    <dl className={classes.stats}>
      {fields.map((field) => (
        <div key={field.key} title={field.shape.description}>
          <dt>
            {field.title}
            <CalculatedSign field={field} />
          </dt>
          <dd>
            <Value field={field} {...one} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A long text; a very long one is folded at first. */
function Long({ field, entity, names, hasName }: One & { field: Field; hasName: boolean }) {
  const value = fieldValue(entity, field);
  const isHeavy = typeof value === 'string' && value.length > 200_000;
  const [isShown, setShown] = useState(!isHeavy);
  return (
    <>
      {hasName && (
        <h3 className={classes.textTitle}>
          {field.title}
          <CalculatedSign field={field} />
        </h3>
      )}
      {isShown ? (
        <PropertyValue field={field} value={value} names={names} isWhole />
      ) : (
        <Button variant="default" size="xs" onClick={() => setShown(true)}>
          {t('Show {count} characters', { count: String(value).length.toLocaleString(locale) })}
        </Button>
      )}
    </>
  );
}

/** Who made the record and who changed it last. */
function RecordLine({ entity }: { entity: FieldEntity }) {
  const by = (name: unknown) => (typeof name === 'string' && name.includes('@') ? <PersonBadge email={name} /> : null);
  return (
    <section className={classes.recordLine} aria-label={t('Record')}>
      <span>
        <Sentence
          text="Record: created <time/>"
          parts={{ time: <RelativeTime at={entity['createdAt'] as string} /> }}
        />{' '}
        {by(entity['createdBy'])}
      </span>
      <span>
        <Sentence text="updated <time/>" parts={{ time: <RelativeTime at={entity['updatedAt'] as string} /> }} />{' '}
        {by(entity['updatedBy'])}
      </span>
    </section>
  );
}
